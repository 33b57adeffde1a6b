import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      // The source imports packages as `npm:name@^x.y`; vite resolves the bare name.
      { find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/, replacement: "$1$2" },
      // The documentation imports the library by its name.
      {
        find: /^@guildpass\/sdk$/,
        replacement: fileURLToPath(new URL("../../../mod.ts", import.meta.url)),
      },
    ],
  },
  test: {
    include: ["*.example.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
