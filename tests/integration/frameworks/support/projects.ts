/**
 * The tests of the projects of all frameworks. Each edition has a file of its own, so that both run at the same time.
 *
 * @module
 */

import { beforeAll, describe, expect, test } from "vitest";
import { testLogin } from "./login_tests.ts";
import { testMiddlewares } from "./middleware_tests.ts";
import {
  buildProject,
  type Edition,
  type NodeProgram,
  type Project,
  runInProject,
  type Start,
  startProject,
} from "./project.ts";
import { Browser } from "./site.ts";

const modules = "../node_modules";
const typescript = `${modules}/typescript/bin/tsc`;
const inAuth = {
  login: "/api/auth/login",
  callback: "/api/auth/callback",
  logout: "/api/auth/logout",
};

/** The time limit of a build and of a type check, in milliseconds, on a machine that has much else to do. */
const longest = 1_200_000;

/** Builds a project once, checks its types, and visits it on this machine and behind a proxy. */
function projectLaws(
  project: Project,
  starts: Readonly<Record<string, Start>>,
  page?: string,
): void {
  beforeAll(() => buildProject(project), longest);

  test("passes the type check", async () => {
    for (const program of project.check) await runInProject(project, program);
  }, longest);

  const origin = "https://app.example";
  for (const [name, start] of Object.entries(starts)) {
    testLogin(`${name} on this machine`, () => startProject(project, start), page);
    testLogin(
      `${name} behind a proxy that speaks HTTPS`,
      () => startProject(project, start, { origin }),
      page,
    );
  }
}

/** Tests the projects with some versions of the frameworks. */
export function testProjects(edition: Edition): void {
  describe("a server", () => {
    const servers = ["hono.ts", "hono_node.ts", "express.ts", "fastify.ts"];
    const recipes = ["login.ts", ...servers, "express_members.ts"];
    const project: Project = {
      edition,
      name: "servers",
      recipes: Object.fromEntries([...recipes, "worker.ts"].map((path) => [path, path])),
      // Hono 4.0 has a declaration with an error.
      check: [[typescript, "--skipLibCheck", edition === "older" ? "true" : "false"]],
    };
    projectLaws(project, {
      Hono: () => ["hono_node.ts"],
      Express: () => ["express.ts"],
      Fastify: () => ["fastify.ts"],
    });
    testLogin("Koa", () => startProject(project, () => ["koa.mjs"]));

    test("keeps the header and the cookie of an earlier middleware of Koa", async () => {
      const env = { EARLIER: "true" };
      await using site = await startProject(project, () => ["koa.mjs"], { env });
      const answer = await new Browser(site).open("/login");
      expect(answer.headers.get("x-earlier")).toBe("1");
      expect(answer.headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0]))
        .toEqual(["earlier", expect.stringMatching(/-login\./)]);
    });

    // The project with the newest versions has the old middlewares too, and Express 4.
    if (edition === "newest") {
      testMiddlewares(() => startProject(project, () => ["middlewares.ts"]));
    }

    describe.each(["express", "fastify"])("with forms of its own, on %s", (name) => {
      test.each(["before", "after"])(
        "reads them by a parser that was added %s the login",
        async (when) => {
          const start = (): NodeProgram => [`${name}_forms.ts`];
          await using site = await startProject(project, start, { env: { PARSER: when } });
          const browser = new Browser(site);
          await browser.logIn("/login");
          const body = new URLSearchParams({ text: "hello ".repeat(50_000) });
          const answer = await browser.open("/echo", { method: "POST", body });
          expect(await answer.text()).toBe(body.get("text"));
          expect((await browser.logOut()).status).toBe(303);
          expect(browser.jar.cookies).toEqual([]);
        },
      );
    });
  });

  describe("a project of Next", () => {
    const next = `${modules}/next/dist/bin/next`;
    projectLaws(
      {
        edition,
        name: "next",
        recipes: { "lazy_login.ts": "login.ts" },
        build: [next, "build"],
        check: [[typescript]],
        paths: inAuth,
      },
      { Next: (port) => [next, "start", "-p", `${port}`, "-H", "localhost"] },
      "/",
    );
  });

  describe("a project of Next with the Pages Router", () => {
    const next = `${modules}/next/dist/bin/next`;
    const start: Start = (port) => [next, "start", "-p", `${port}`, "-H", "localhost"];
    const project: Project = {
      edition,
      name: "next_pages",
      recipes: { "lazy_login.ts": "login.ts" },
      build: [next, "build"],
      check: [[typescript]],
      paths: inAuth,
    };
    projectLaws(project, { "Next's Pages Router": start }, "/?from=a+link");

    test("sends a whole page through the compression of Next", async () => {
      await using site = await startProject(project, start);
      const browser = new Browser(site);
      const answer = await browser.open(await site.fake.deny(await browser.begin("/")));
      expect(answer.headers.get("vary")).toBe("accept, Accept-Encoding");
      expect(await answer.text()).toMatch(/<h1>You did not log in<\/h1>[^]*<\/html>/);
    });
  });

  describe("a project of SvelteKit", () => {
    const vite = `${modules}/vite/bin/vite.js`;
    projectLaws({
      edition,
      name: "sveltekit",
      recipes: { "lazy_login.ts": "src/login.server.ts" },
      build: [vite, "build"],
      check: [
        [`${modules}/@sveltejs/kit/svelte-kit.js`, "sync"],
        [`${modules}/svelte-check/bin/svelte-check`, "--fail-on-warnings"],
      ],
      env: { PROTOCOL_HEADER: "x-forwarded-proto", HOST_HEADER: "x-forwarded-host" },
      paths: inAuth,
    }, {
      // The built server assumes HTTPS for every address.
      SvelteKit: (port, origin) =>
        origin ? ["build/index.js"] : [vite, "preview", "--port", `${port}`, "--host", "localhost"],
    });
  });

  describe("a project of Astro", () => {
    const astro = `${modules}/astro/${edition === "older" ? "astro.js" : "bin/astro.mjs"}`;
    projectLaws({
      edition,
      name: "astro",
      build: [astro, "build"],
      check: [[astro, "check"]],
    }, { Astro: () => ["dist/server/entry.mjs"] });
  });
}
