import { testPages } from "./support/page_tests.ts";
import { type Project, startProject } from "./support/project.ts";
import { modules, testEditions, testProject } from "./support/project_tests.ts";
import { usualPaths } from "./support/site.ts";

testEditions((edition) => {
  const astro = `${modules}/astro/${edition === "older" ? "astro.js" : "bin/astro.mjs"}`;
  const project: Project = {
    edition,
    name: "astro",
    build: [astro, "build"],
    check: [astro, "check"],
    paths: { ...usualPaths, members: "/members" },
  };
  const start = () => ["dist/server/entry.mjs"] as const;
  testProject(project, { Astro: start });
  testPages("Astro", (options) => startProject(project, start, options));
});
