import { describe, expect, test } from "vitest";
import { testLogin } from "./support/login_tests.ts";
import { testMiddlewares } from "./support/middleware_tests.ts";
import { type NodeProgram, type Project, startProject } from "./support/project.ts";
import { testEditions, testProject, typescript } from "./support/project_tests.ts";
import { Browser } from "./support/site.ts";

const recipes = [
  "login.ts",
  "hono.ts",
  "hono_node.ts",
  "express.ts",
  "express_members.ts",
  "fastify.ts",
  "worker.ts",
];

testEditions((edition) => {
  const project: Project = {
    edition,
    name: "servers",
    recipes: Object.fromEntries(recipes.map((path) => [path, path])),
    // Hono 4.0 has a declaration with an error.
    check: [typescript, "--skipLibCheck", edition === "older" ? "true" : "false"],
  };
  testProject(project, {
    Hono: () => ["hono_node.ts"],
    Express: () => ["express.ts"],
    Fastify: () => ["fastify.ts"],
  });
  testLogin("Koa", () => startProject(project, () => ["koa.mjs"]));

  test("Koa keeps the header and the cookie of an earlier middleware", async () => {
    const env = { EARLIER: "true" };
    await using site = await startProject(project, () => ["koa.mjs"], { env });
    const response = await new Browser(site).open("/login");
    expect(response.headers.get("x-earlier")).toBe("1");
    expect(response.headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0]))
      .toEqual(["earlier", expect.stringMatching(/-login\./)]);
  });

  // The project with the newest versions has the old middlewares too, and Express 4.
  if (edition === "newest") testMiddlewares(() => startProject(project, () => ["middlewares.ts"]));

  describe.each(["express", "fastify"])("%s with forms of its own", (name) => {
    test.each(["before", "after"])(
      "reads them by a parser that was added %s the login",
      async (when) => {
        const start = (): NodeProgram => [`${name}_forms.ts`];
        await using site = await startProject(project, start, { env: { PARSER: when } });
        const browser = new Browser(site);
        await browser.logIn("/login");
        const body = new URLSearchParams({ text: "hello ".repeat(50_000) });
        const response = await browser.open("/echo", { method: "POST", body });
        expect(await response.text()).toBe(body.get("text"));
        expect((await browser.logOut()).status).toBe(303);
        expect(browser.jar.cookies).toEqual([]);
      },
    );
  });
});
