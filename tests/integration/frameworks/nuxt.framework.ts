import { expect, test } from "vitest";
import { testPages } from "./support/page_tests.ts";
import { type Project, startProject } from "./support/project.ts";
import { modules, testEditions, testProject } from "./support/project_tests.ts";
import { testSessionMiddleware } from "./support/session_middleware_tests.ts";
import { Browser, usualPaths } from "./support/site.ts";

const nuxt = `${modules}/nuxt/bin/nuxt.mjs`;

testEditions((edition) => {
  const project: Project = {
    edition,
    name: "nuxt",
    recipes: { "login.ts": "server/utils/login.ts" },
    build: [nuxt, "build"],
    check: [nuxt, "typecheck"],
    paths: { ...usualPaths, members: "/members" },
    // It prints the IP address.
    printsAddress: false,
  };
  const start = () => [".output/server/index.mjs"] as const;
  testProject(project, { Nuxt: start }, "?from=a+link");
  testPages("Nuxt", (options) => startProject(project, start, options));
  testSessionMiddleware("Nuxt", "views", (env) => startProject(project, start, { env }));

  test("Nuxt reads the body of a form behind the login", async () => {
    await using site = await startProject(project, start);
    const body = new URLSearchParams({ text: "hello ".repeat(10_000) });
    const response = await new Browser(site).open("/api/echo", { method: "POST", body });
    expect(await response.text()).toBe(body.get("text"));
  });
});
