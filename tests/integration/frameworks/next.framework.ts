import { buildNext, startNext } from "./support/next.ts";
import { apiPaths, testEditions, testProject } from "./support/project_tests.ts";

testEditions((edition) => {
  testProject(
    {
      edition,
      name: "next",
      recipes: { "api_login.ts": "login.ts" },
      build: buildNext,
      paths: apiPaths,
    },
    { "Next's App Router": startNext },
    "",
  );
});
