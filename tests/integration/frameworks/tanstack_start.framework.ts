import { testPages } from "./support/page_tests.ts";
import { type Project, type Start, startProject } from "./support/project.ts";
import { apiPaths, modules, testProject, typescript } from "./support/project_tests.ts";

const vite = `${modules}/vite/bin/vite.js`;
const project: Project = {
  edition: "newest",
  name: "tanstack_start",
  recipes: { "api_login.ts": "src/login.server.ts" },
  build: [vite, "build"],
  check: [typescript],
  // Vitest sets another value, with which Vite would build for development.
  env: { NODE_ENV: "production" },
  paths: { ...apiPaths, members: "/members" },
};
const start: Start = () => ["server.mjs"];

testProject(project, { "TanStack Start": start }, "?from=a+link");
testPages("TanStack Start", (options) => startProject(project, start, options));
