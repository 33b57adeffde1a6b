import { describe, expect, test } from "vitest";
import { buildNext, startNext } from "./support/next.ts";
import { testPages } from "./support/page_tests.ts";
import { type Project, startProject } from "./support/project.ts";
import { apiPaths, testEditions, testProject } from "./support/project_tests.ts";
import { Browser } from "./support/site.ts";

const paths = { ...apiPaths, members: "/members" };

testEditions((edition) => {
  const name = "Next's App Router";
  const project: Project = {
    edition,
    name: "next",
    recipes: { "api_login.ts": "login.ts" },
    leftOut: {
      line: "export const instant = false; // only with `cacheComponents`",
      files: ["app/page.tsx", "app/members/page.tsx"],
    },
    build: buildNext,
    paths,
  };
  testProject(project, { [name]: startNext }, "");
  testPages(name, (options) => startProject(project, startNext, options), "in the browser");

  // Next 15 does not have this option.
  describe.runIf(edition === "newest")("With cacheComponents, Next's App Router", () => {
    const project: Project = {
      edition,
      name: "next_cache_components",
      recipes: { "api_login.ts": "login.ts", "next/app": "app" },
      build: buildNext,
      paths,
    };
    testProject(project, {});
    testPages(name, (options) => startProject(project, startNext, options), "in the browser");

    test("sends the address of the login with the page, for the browser to follow", async () => {
      await using site = await startProject(project, startNext);
      expect(await new Browser(site).read("/members"))
        .toContain("NEXT_REDIRECT;replace;/api/auth/login?returnTo=/members;");
    });
  });
});
