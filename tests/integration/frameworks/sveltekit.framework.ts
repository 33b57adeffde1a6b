import { testPages } from "./support/page_tests.ts";
import { type Project, type Start, startProject } from "./support/project.ts";
import { apiPaths, modules, testEditions, testProject } from "./support/project_tests.ts";

const vite = `${modules}/vite/bin/vite.js`;

// The built server assumes HTTPS for every address.
const start: Start = (port, origin) =>
  origin ? ["build/index.js"] : [vite, "preview", "--port", `${port}`, "--host", "localhost"];

testEditions((edition) => {
  const project: Project = {
    edition,
    name: "sveltekit",
    recipes: { "api_login.ts": "src/login.server.ts" },
    build: [vite, "build"],
    check: [`${modules}/svelte-check/bin/svelte-check`, "--fail-on-warnings"],
    env: { PROTOCOL_HEADER: "x-forwarded-proto", HOST_HEADER: "x-forwarded-host" },
    paths: { ...apiPaths, members: "/members" },
  };
  testProject(project, { SvelteKit: start });
  testPages("SvelteKit", (options) => startProject(project, start, options));
});
