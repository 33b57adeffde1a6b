import { statSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { keptWorker } from "./kept_worker.mjs";

/** The names of the files that are changed, without their endings, if single files were chosen. */
const changed = process.env.MUTATION_FILES.split(",").map((path) => basename(path, ".ts"));

/** Runs the tests of the changed files first, then small files. The first test that fails ends the run for a mutant. */
class LikelyFirst extends BaseSequencer {
  sort(files) {
    const isOther = ({ moduleId }) => Number(!changed.includes(basename(moduleId, ".test.ts")));
    const sizeOf = ({ moduleId }) => statSync(moduleId).size;
    return Promise.resolve(
      files.toSorted((a, b) => isOther(a) - isOther(b) || sizeOf(a) - sizeOf(b)),
    );
  }
}

export default defineConfig({
  plugins: [keptWorker],
  test: {
    include: ["**/*.test.ts"],
    // They try thousands of orders and failures, wait for seconds, or start a compiler, which takes too long for each mutant.
    exclude: [
      "**/*.simulation.test.ts",
      "**/{interleavings,simulated_failures,slow_store,editor}.test.ts",
    ],
    setupFiles: ["scripts/lab/mutation/no_mutant.mjs"],
    isolate: false,
    sequence: { sequencer: LikelyFirst },
    testTimeout: 60_000,
  },
});
