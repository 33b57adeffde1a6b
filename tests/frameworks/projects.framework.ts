import { beforeAll, describe } from "vitest";
import { loginLaws } from "./support/laws.ts";
import { buildProject, installProjects, type Project, startProject } from "./support/project.ts";

const modules = "../node_modules";
const inAuth = { login: "/auth/login", callback: "/auth/callback", logout: "/auth/logout" };

beforeAll(installProjects, 300_000);

/** A project on this machine, and behind a proxy. */
function projectLaws(name: string, project: Project, page?: string): void {
  describe(name, () => {
    beforeAll(() => buildProject(project), 180_000);
    loginLaws("on this machine", () => startProject(project), page);
    const origin = "https://app.example";
    loginLaws("behind a proxy that speaks HTTPS", () => startProject(project, { origin }), page);
  });
}

projectLaws("Next", {
  name: "next",
  login: ["lazy_login.ts", "login.ts"],
  build: [`${modules}/next/dist/bin/next`, "build"],
  start: (port) => [`${modules}/next/dist/bin/next`, "start", "-p", `${port}`, "-H", "localhost"],
  paths: inAuth,
}, "/");

projectLaws("SvelteKit", {
  name: "sveltekit",
  login: ["lazy_login.ts", "src/login.server.ts"],
  build: [`${modules}/vite/bin/vite.js`, "build"],
  start: () => ["build/index.js"],
  env: { PROTOCOL_HEADER: "x-forwarded-proto", HOST_HEADER: "x-forwarded-host" },
  paths: inAuth,
});

projectLaws("Astro", {
  name: "astro",
  login: ["login.ts", "src/login.ts"],
  build: [`${modules}/astro/bin/astro.mjs`, "build"],
  start: () => ["dist/server/entry.mjs"],
});
