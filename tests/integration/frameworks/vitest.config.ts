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
    // A busy machine takes minutes for a test that works for seconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
