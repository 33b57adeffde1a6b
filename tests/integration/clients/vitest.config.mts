import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      // `next-auth` 5 only exports this module of `@auth/core`, and would install Next.
      { find: "next-auth/jwt", replacement: "@auth/core/jwt" },
      // The login, as projects with Next name it.
      {
        find: "@/login",
        replacement: fileURLToPath(new URL("moving/login.ts", import.meta.url)),
      },
      // The packages of the library, as its source names them.
      { find: /^npm:([^@]+)@.*$/, replacement: "$1" },
    ],
  },
  test: {
    include: ["*.client.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
