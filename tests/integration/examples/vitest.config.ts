import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      // Maps `npm:name@^x.y` in the source to the bare name that vite resolves.
      { find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/, replacement: "$1$2" },
      // Maps the name of the library to the source.
      {
        find: /^@guildpass\/sdk$/,
        replacement: fileURLToPath(new URL("../../../mod.ts", import.meta.url)),
      },
    ],
  },
  test: {
    include: ["*.example.ts"],
    // The slowest test works for ten seconds, so that a busy machine needs less, and a wait that never ends fails soon.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A program on a busy machine takes seconds to start.
    expect: { poll: { timeout: 20_000 } },
  },
});
