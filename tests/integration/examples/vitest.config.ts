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
    // A busy machine takes minutes for a test that works for seconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A program on a busy machine takes seconds to start.
    expect: { poll: { timeout: 300_000 } },
  },
});
