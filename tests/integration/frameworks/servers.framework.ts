import { describe, expect, test } from "vitest";
import { sampleUsers } from "../../../src/testing/mod.ts";
import { testLogin } from "./support/login_tests.ts";
import { testMiddlewares } from "./support/middleware_tests.ts";
import { testPages } from "./support/page_tests.ts";
import { type NodeProgram, type Project, type Start, startProject } from "./support/project.ts";
import { testEditions, testProject, typescript } from "./support/project_tests.ts";
import { Browser, locationOf, type Site, usualPaths } from "./support/site.ts";

const recipes = [
  "login.ts",
  "pages.ts",
  "hono.ts",
  "hono_login.ts",
  "hono_node.ts",
  "hono_pages.ts",
  "express.ts",
  "express_members.ts",
  "fastify.ts",
  "fastify_login.ts",
  "fastify_pages.ts",
  "koa.ts",
  "koa_login.ts",
  "koa_members.ts",
  "koa_pages.ts",
  "worker.ts",
];
const newestRecipes = [...recipes, "elysia.ts", "elysia_node.ts", "elysia_pages.ts"];

testEditions((edition) => {
  const project: Project = {
    edition,
    name: "servers",
    recipes: Object.fromEntries(
      (edition === "newest" ? newestRecipes : recipes).map((path) => [path, path]),
    ),
    // The declarations of Koa and of Hono 4.0 have errors.
    check: [typescript, "--skipLibCheck", "true"],
    paths: { ...usualPaths, members: "/members" },
  };
  const withPages: Readonly<Record<string, Start>> = {
    Hono: () => ["hono_node.ts"],
    Fastify: () => ["fastify.ts"],
    Koa: () => ["koa.ts"],
    ...(edition === "newest" && { Elysia: () => ["elysia_node.ts"] }),
  };
  for (const [name, start] of Object.entries(withPages)) {
    testPages(name, (options) => startProject(project, start, options));
  }
  testProject(project, withPages);

  if (edition === "newest") {
    const onBun: Project = { ...project, runtime: "bun" };
    testLogin("Elysia on Bun", () => startProject(onBun, () => ["elysia.ts"]));
  }

  test.each(Object.entries(withPages))("%s escapes the name of the user", async (_, start) => {
    await using site = await startProject(project, start);
    site.fake.update({ users: { ada: { username: "<i>ada</i> & co" } } });
    const browser = new Browser(site);
    await browser.logIn("/login", sampleUsers[0].id);
    for (const path of ["/", "/members"]) {
      expect(await browser.read(path)).toContain("Hello, &lt;i&gt;ada&lt;/i&gt; &amp; co ");
    }
  });

  const { check: _, ...unchecked } = project;
  testProject({ ...unchecked, paths: usualPaths }, {
    Express: () => ["express.ts"],
    // The project with the newest versions has both versions of h3.
    ...(edition === "newest" && { "h3 1": () => ["h3_1.mjs"], "h3 2": () => ["h3_2.mjs"] }),
  });

  test("Koa keeps the header and the cookies of other middlewares", async () => {
    await using site = await startProject(project, () => ["koa_session.ts"]);
    const browser = new Browser(site);
    const [start, callback] = await logIn(site, browser);
    expect(start.headers.get("x-earlier")).toBe("1");
    expect(cookieNames(start))
      .toEqual(["earlier", expect.stringMatching(/-login\./), "views", "views.sig"]);
    expect(cookieNames(callback)).toEqual([
      "earlier",
      expect.stringMatching(/-login\./),
      expect.stringMatching(/-session$/),
      "views",
      "views.sig",
    ]);
    expect(await browser.read("/")).toBe("3 views");
  });

  // Hono 4.0 itself drops cookies from before the response.
  test.runIf(edition === "newest")(
    "Hono keeps the cookies that a middleware sets before and after the login",
    async () => {
      await using site = await startProject(project, () => ["hono_session.ts"]);
      const browser = new Browser(site);
      const [start, callback] = await logIn(site, browser);
      expect(cookieNames(start))
        .toEqual(["earlier", expect.stringMatching(/-login\./), "later"]);
      expect(cookieNames(callback)).toEqual([
        "earlier",
        expect.stringMatching(/-login\./),
        expect.stringMatching(/-session$/),
        "later",
      ]);
      expect(await browser.read("/")).toContain("Hello, ada");
    },
  );

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

/** Logs Ada in. Returns the redirect to the consent page and the response to the callback. */
async function logIn(site: Site, browser: Browser): Promise<[start: Response, callback: Response]> {
  const start = await browser.open("/login");
  return [start, await browser.open(await site.fake.authorize(locationOf(start), { as: "ada" }))];
}

function cookieNames({ headers }: Response): (string | undefined)[] {
  return headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0]);
}
