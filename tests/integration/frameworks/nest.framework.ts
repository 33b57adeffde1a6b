import { expect, test } from "vitest";
import { testPages } from "./support/page_tests.ts";
import { type Project, startProject } from "./support/project.ts";
import { testEditions, testProject, typescript } from "./support/project_tests.ts";
import { testSessionMiddleware } from "./support/session_middleware_tests.ts";
import { Browser, locationOf, usualPaths } from "./support/site.ts";

testEditions((edition) => {
  // The newest starter makes ES modules, the older one CommonJS.
  const project: Project = {
    edition,
    name: "nest",
    recipes: { "login.ts": "src/login.ts" },
    build: [typescript],
    paths: { ...usualPaths, members: "/members" },
  };
  testProject(project, {
    "Nest on Express": () => ["dist/main.js"],
    "Nest on Fastify": () => ["dist/main-fastify.js"],
  });
  testPages(
    "Nest on Express",
    (options) => startProject(project, () => ["dist/main.js"], options),
  );
  testPages(
    "Nest on Fastify",
    (options) => startProject(project, () => ["dist/main-fastify.js"], options),
  );
  // The projects with the older versions have two versions of Fastify, with types that do not fit.
  if (edition === "older") return;
  testSessionMiddleware(
    "Nest on Express",
    "views",
    (env) => startProject(project, () => ["dist/express-session.js"], { env }),
  );
  testSessionMiddleware(
    "Nest on Fastify",
    "views",
    (env) => startProject(project, () => ["dist/fastify-session.js"], { env }),
    // Fastify runs the hooks of a plugin on all routes of Nest.
    ["behind"],
  );

  test("Nest logs in with a prefix, a version and a guard on all other routes", async () => {
    await using site = await startProject(project, () => ["dist/prefix.js"]);
    const browser = new Browser(site);
    expect((await browser.open("/site/v1/bye")).status).toBe(403);
    const response = await browser.logIn("/login");
    expect([response.status, locationOf(response)]).toEqual([302, `${site.origin}/`]);
    expect((await browser.logOut()).status).toBe(303);
  });
});
