import { statSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { keptWorker } from "./kept_worker.mjs";

/** Runs short files first. The first test that fails ends the run for a mutant. */
class ShortestFirst extends BaseSequencer {
  sort(files) {
    const sizeOf = ({ moduleId }) => statSync(moduleId).size;
    return Promise.resolve(files.toSorted((a, b) => sizeOf(a) - sizeOf(b)));
  }
}

export default defineConfig({
  plugins: [keptWorker],
  test: {
    include: ["**/*.test.ts"],
    // They try thousands of orders and failures, or start a compiler, which takes too long for each mutant.
    exclude: ["**/*.simulation.test.ts", "login/{interleavings,simulated_failures,editor}.test.ts"],
    setupFiles: ["scripts/mutation/no_mutant.mjs"],
    isolate: false,
    sequence: { sequencer: ShortestFirst },
    // A mutant that waits for ever fails here. The time limit of Stryker costs a new process.
    testTimeout: 20_000,
  },
});
