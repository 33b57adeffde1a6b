import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
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

/** What runs in a page, and so is tested in one too. */
const clientSide = [
  "errors",
  "links/auth_url",
  "links/callback",
  "links/pkce",
  "links/platform",
  "permissions/info",
  "permissions/permissions",
].map((module) => `tests/${module}.test.ts`);

export default defineConfig({
  resolve: { alias: [npmSpecifiers, ...entryPoints] },
  test: {
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
          globalSetup: ["tests/server/oauth_server.setup.ts"],
        },
      },
      {
        extends: true,
        test: { name: "page", include: clientSide, environment: "happy-dom" },
      },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ["tests/types/*.test-d.ts"],
            tsconfig: "./tests/types/tsconfig.json",
          },
        },
      },
    ],
  },
});
