import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { pageSafeParts, parts } from "./scripts/architecture.ts";
import deno from "./deno.json" with { type: "json" };

/** Maps the imports of the source, such as `npm:ky@^2.1.0`, to the bare name that vite resolves. */
const npmSpecifiers = {
  find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/,
  replacement: "$1$2",
};

/** Maps the name of the library, which the examples of the documentation import, to the source. */
const entryPoints = Object.entries(deno.exports).map(([name, path]) => ({
  find: new RegExp(`^${deno.name}${name.slice(1)}$`),
  replacement: fileURLToPath(new URL(path, import.meta.url)),
}));

/** The tests of page-safe modules, which also run in a simulated page. */
const pageTests = pageSafeParts
  .flatMap((name) => parts[name].paths)
  .map((path) => path.replace("src/", "tests/").replace(/\.ts$/, ".test.ts"))
  .map((path) => path.endsWith("/") ? `${path}**/*.test.ts` : path);

/** The tests that try thousands of orders or faults. Coverage would slow them by half, and other tests reach every line. */
const searches = [
  "tests/login/ended_sessions.simulation.test.ts",
  "tests/login/interleavings.test.ts",
  "tests/login/store_faults.test.ts",
];

/** The tests that replace what a module reads when it is loaded. Each needs modules of its own. */
const withOwnModules = [
  "tests/command/project_folder.test.ts",
  "tests/http/send_without_any.test.ts",
];

export default defineConfig({
  resolve: { alias: [npmSpecifiers, ...entryPoints] },
  test: {
    // The slowest test works for four seconds, so that a busy machine needs less, and a wait that never ends fails soon.
    testTimeout: 60_000,
    hookTimeout: 30_000,
    // By default, one processor has nothing to do, which is half of a small machine.
    maxWorkers: "100%",
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // A gap would be lost among hundreds of files without one.
      reporter: [["text", { skipFull: true }]],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "server",
          include: ["tests/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...searches, ...withOwnModules],
          environment: "node",
          globalSetup: ["tests/integration/oauth_server.setup.ts"],
          // The files share processes, since one of its own would load the library for each. `server.setup.ts` fails a file that
          // changes the next one.
          isolate: false,
          setupFiles: ["tests/server.setup.ts"],
        },
      },
      {
        extends: true,
        test: { name: "own modules", include: withOwnModules, environment: "node" },
      },
      {
        extends: true,
        // A search works for ten seconds, and several times as long on a busy machine.
        test: { name: "searches", include: searches, environment: "node", testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: "page",
          include: pageTests,
          environment: "happy-dom",
          setupFiles: ["tests/page.setup.ts"],
          // One page for all files, since it takes longer to make than to test these modules, which keep no state.
          isolate: false,
        },
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
