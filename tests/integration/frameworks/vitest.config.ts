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
    globalSetup: ["support/install.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
