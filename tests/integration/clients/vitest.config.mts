import { defineConfig } from "vitest/config";

/** The packages of the library, as its source names them. */
const npmSpecifiers = { find: /^npm:([^@]+)@.*$/, replacement: "$1" };

export default defineConfig({
  resolve: { alias: [npmSpecifiers] },
  test: {
    include: ["*.client.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
