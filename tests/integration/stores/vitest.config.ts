import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import configuration from "../../../deno.json" with { type: "json" };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      // The source imports packages as `npm:name@^x.y`; vite resolves the bare name.
      { find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/, replacement: "$1$2" },
      // The examples and the documentation import the library by its name.
      ...Object.entries(configuration.exports).map(([name, path]) => ({
        find: new RegExp(`^@guildpass/sdk${name.slice(1)}$`),
        replacement: here(`../../../${path}`),
      })),
    ],
  },
  test: {
    include: ["*.store.ts"],
    globalSetup: ["support/install.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
