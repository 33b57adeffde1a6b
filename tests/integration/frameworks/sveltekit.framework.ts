import { apiPaths, modules, testEditions, testProject } from "./support/project_tests.ts";

const vite = `${modules}/vite/bin/vite.js`;

testEditions((edition) => {
  testProject({
    edition,
    name: "sveltekit",
    recipes: { "api_login.ts": "src/login.server.ts" },
    build: [vite, "build"],
    check: [`${modules}/svelte-check/bin/svelte-check`, "--fail-on-warnings"],
    env: { PROTOCOL_HEADER: "x-forwarded-proto", HOST_HEADER: "x-forwarded-host" },
    paths: apiPaths,
  }, {
    // The built server assumes HTTPS for every address.
    SvelteKit: (port, origin) =>
      origin ? ["build/index.js"] : [vite, "preview", "--port", `${port}`, "--host", "localhost"],
  });
});
