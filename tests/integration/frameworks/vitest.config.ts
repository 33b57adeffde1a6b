import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      // Maps `npm:name@^x.y` in the source to the bare name that vite resolves.
      { find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/, replacement: "$1$2" },
    ],
  },
  test: {
    include: ["*.framework.ts"],
    // By default, one processor has nothing to do, which is half of a small machine.
    maxWorkers: "100%",
    // The slowest test works for twenty seconds, so that a busy machine needs less, and a wait that never ends fails soon.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
