import { modules, testEditions, testProject } from "./support/project_tests.ts";

testEditions((edition) => {
  const astro = `${modules}/astro/${edition === "older" ? "astro.js" : "bin/astro.mjs"}`;
  testProject({
    edition,
    name: "astro",
    build: [astro, "build"],
    check: [astro, "check"],
  }, { Astro: () => ["dist/server/entry.mjs"] });
});
