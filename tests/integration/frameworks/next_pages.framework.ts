import { expect, test } from "vitest";
import { buildNext, startNext } from "./support/next.ts";
import { type Project, startProject } from "./support/project.ts";
import { apiPaths, testEditions, testProject } from "./support/project_tests.ts";
import { Browser } from "./support/site.ts";

testEditions((edition) => {
  const project: Project = {
    edition,
    name: "next_pages",
    recipes: { "api_login.ts": "login.ts" },
    build: buildNext,
    paths: apiPaths,
  };
  testProject(project, { "Next's Pages Router": startNext }, "?from=a+link");

  test("Next's Pages Router sends a whole page through its compression", async () => {
    await using site = await startProject(project, startNext);
    const browser = new Browser(site);
    const response = await browser.open(await site.fake.deny(await browser.begin("/")));
    expect(response.headers.get("vary")).toBe("accept, Accept-Encoding");
    expect(await response.text()).toMatch(/<h1>You canceled the login<\/h1>[^]*<\/html>/);
  });
});
