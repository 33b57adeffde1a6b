import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*.client.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
