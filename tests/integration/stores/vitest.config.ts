import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import configuration from "../../../deno.json" with { type: "json" };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      // Maps `npm:name@^x.y` in the source to the bare name that vite resolves.
      { find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/, replacement: "$1$2" },
      // Maps the name of the library, which the examples and the documentation import, to the source.
      ...Object.entries(configuration.exports).map(([name, path]) => ({
        find: new RegExp(`^@guildpass/sdk${name.slice(1)}$`),
        replacement: here(`../../../${path}`),
      })),
    ],
  },
  test: {
    include: ["*.store.ts"],
    globalSetup: ["support/install.ts"],
    // The slowest test works for twenty seconds, so that a busy machine needs less, and a wait that never ends fails soon.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A program on a busy machine takes seconds to start.
    expect: { poll: { timeout: 30_000 } },
  },
});
