import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      // The source imports packages as `npm:name@^x.y`; vite resolves the bare name.
      { find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/, replacement: "$1$2" },
      // The examples are in a folder that has no packages.
      { find: /^@guildpass\/sdk$/, replacement: here("../../mod.ts") },
    ],
  },
  test: {
    include: ["*.store.ts"],
    globalSetup: ["support/install.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
