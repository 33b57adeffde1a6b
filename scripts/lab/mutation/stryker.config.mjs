import { availableParallelism } from "node:os";

/** The settings of Stryker for the folder of `src/`, and the files in it, that `main.ts` names. */
const { MUTATION_FOLDER: folder, MUTATION_FILES: files } = process.env;

export default {
  mutate: files.split(","),
  incremental: true,
  incrementalFile: `scripts/lab/mutation/.reports/${folder}.json`,
  plugins: [import.meta.resolve("@stryker-mutator/vitest-runner")],
  testRunner: "vitest",
  vitest: {
    configFile: "scripts/lab/mutation/vitest.config.mjs",
    dir: `tests/${folder}`,
    related: false,
  },
  buildCommand: `${process.execPath} scripts/lab/mutation/bundle_tests.mjs ${folder}`,
  // Only the tests that reach a mutant run for it.
  coverageAnalysis: "perTest",
  thresholds: { high: 95, low: 90, break: 90 },
  concurrency: availableParallelism(),
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 30,
  // The copy of the repository needs no packages: its `node_modules` is a link.
  ignorePatterns: [
    "**",
    "!src/**",
    "!tests/**",
    "!examples/**",
    "!scripts/*.ts",
    "!scripts/lab/mutation/*.mjs",
    "!deno.json",
    "!*.ts",
    "**/node_modules/**",
  ],
  tempDirName: "scripts/lab/mutation/.sandbox",
  // Stryker would change comments in every test file of the repository otherwise. Vitest checks no types.
  disableTypeChecks: false,
  reporters: ["progress-append-only"],
  allowConsoleColors: false,
};
