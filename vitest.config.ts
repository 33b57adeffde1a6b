import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { pageSafeParts, parts } from "./scripts/architecture.ts";
import deno from "./deno.json" with { type: "json" };

/** The source imports packages as `npm:name@^x.y`; vite resolves the bare name. */
const npmSpecifiers = {
  find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/,
  replacement: "$1$2",
};

/** The examples in the documentation import the library by its name. */
const entryPoints = Object.entries(deno.exports).map(([name, path]) => ({
  find: new RegExp(`^${deno.name}${name.slice(1)}$`),
  replacement: fileURLToPath(new URL(path, import.meta.url)),
}));

/** The tests of what runs in a page are run in one too. */
const pageTests = pageSafeParts
  .flatMap((name) => parts[name].paths)
  .map((path) => path.replace("src/", "tests/").replace(/\.ts$/, ".test.ts"))
  .map((path) => path.endsWith("/") ? `${path}**/*.test.ts` : path);

export default defineConfig({
  resolve: { alias: [npmSpecifiers, ...entryPoints] },
  test: {
    // A busy machine is slow, and no test is about time that passes by itself.
    testTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "server",
          include: ["tests/**/*.test.ts"],
          environment: "node",
          globalSetup: ["tests/integration/oauth_server.setup.ts"],
        },
      },
      {
        extends: true,
        test: { name: "page", include: pageTests, environment: "happy-dom" },
      },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ["tests/**/*.test-d.ts"],
            tsconfig: "./tests/tsconfig.json",
          },
        },
      },
    ],
  },
});
