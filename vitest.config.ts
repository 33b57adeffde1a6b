import { defineConfig } from "vitest/config";

/** The source imports packages as `npm:name@^x.y`; outside Deno the bare name is what resolves. */
const npmSpecifiers = {
  find: /^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/,
  replacement: "$1$2",
};

export default defineConfig({
  resolve: { alias: [npmSpecifiers] },
  test: {
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "server",
          include: ["tests/**/*.test.ts"],
          environment: "node",
        },
      },
    ],
  },
});
