import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    // The source imports packages as `npm:name@^x.y`; vite resolves the bare name.
    alias: [{ find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/, replacement: "$1$2" }],
  },
  test: {
    include: ["*.example.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
