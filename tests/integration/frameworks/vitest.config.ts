import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      // The source imports packages as `npm:name@^x.y`; vite resolves the bare name.
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
