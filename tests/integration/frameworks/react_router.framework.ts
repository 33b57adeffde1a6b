import { describe, expect, test } from "vitest";
import { testPages } from "./support/page_tests.ts";
import { type Project, startProject } from "./support/project.ts";
import { modules, testEditions, testProject, typescript } from "./support/project_tests.ts";
import { testSessionMiddleware } from "./support/session_middleware_tests.ts";
import { Browser, usualPaths } from "./support/site.ts";

const serve = `${modules}/@react-router/serve/bin`;

testEditions((edition) => {
  const extension = edition === "older" ? "js" : "cjs";
  const reactRouter = `${modules}/@react-router/dev/bin.${extension}`;
  const project: Project = {
    edition,
    name: "react_router",
    recipes: { "login.ts": "app/login.server.ts" },
    build: [reactRouter, "build"],
    typegen: [reactRouter, "typegen"],
    check: [typescript],
    paths: { ...usualPaths, members: "/members" },
  };
  const start = () => [`${serve}.${extension}`, "build/server/index.js"] as const;
  testProject(project, { "React Router": start }, "");
  testPages("React Router", (options) => startProject(project, start, options));
  testSessionMiddleware("React Router", "views", (env) => startProject(project, start, { env }));

  describe("React Router, for a <Link> or a <Form>, which fetch,", () => {
    const fetchInit = { headers: { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" } };

    test("opens the login of a visitor without a session as a document", async () => {
      await using site = await startProject(project, start);
      const response = await new Browser(site).open("/members.data", fetchInit);
      expect(await response.text()).toContain('"redirect","/login?returnTo=/members"');
      expect(response.headers.get("x-remix-reload-document")).toBe("true");
    });

    test.each(["/login.data", "/logout.data"])("names reloadDocument at %s", async (path) => {
      await using site = await startProject(project, start);
      const response = await new Browser(site).open(path, fetchInit);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.text()).toContain("reloadDocument");
    });
  });
});
