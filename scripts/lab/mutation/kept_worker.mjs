/**
 * Runs the tests of all mutants in one thread, where Vitest would start a new one for each: it takes longer to start a thread and to
 * load the modules than to run the tests.
 *
 * @module
 */

import { ThreadsPoolWorker } from "vitest/node";

/** The thread, and the number of runs in it. */
let kept = null;

/** The number of runs after which another thread takes over, so that what a mutant left behind does not stay for ever. */
const maxRuns = 100;

/** A thread that is used again. */
class KeptWorker extends ThreadsPoolWorker {
  name = "kept";
  #context;
  #listeners = [];

  constructor(options) {
    super(options);
    this.#context = options.project.getProvidedContext();
  }

  async start() {
    // A mutant in code that runs while a module is loaded needs modules that are loaded with it, and leaves them behind.
    const loadsModules = this.#context.mode !== "mutant" ||
      this.#context.mutantActivation === "static";
    if (kept && (loadsModules || kept.runs >= maxRuns)) {
      await kept.thread.terminate();
      kept = null;
    }
    if (kept) this._thread = kept.thread;
    else await super.start();
    kept ??= { thread: this._thread, runs: 0 };
    kept.runs = loadsModules ? maxRuns : kept.runs + 1;
  }

  on(event, listener) {
    this.#listeners.push([event, listener]);
    super.on(event, listener);
  }

  send(message) {
    if (message.type === "start" && this.#context.mode === "mutant") {
      const { config } = message.context;
      // Stryker reads the places of the tests in its first run only, and they take time.
      config.includeTaskLocation = false;
      // A mutant that waits for ever fails here. The modules are loaded already, and no test takes longer than a second.
      config.testTimeout = 10_000;
    }
    if (message.type !== "stop") return super.send(message);
    // Answered in place of the thread, which would end.
    setImmediate(() => {
      for (const [event, listener] of this.#listeners) {
        if (event === "message") listener({ __vitest_worker_response__: true, type: "stopped" });
      }
    });
  }

  stop() {
    for (const [event, listener] of this.#listeners) super.off(event, listener);
    return Promise.resolve();
  }
}

/** Makes Vitest use it, whatever pool its options name. */
export const keptWorker = {
  name: "kept worker",
  configureVitest({ project, vitest }) {
    project.config.pool = "kept";
    project.config.poolRunner = {
      name: "kept",
      createPoolWorker: (options) => new KeptWorker(options),
    };
    vitest.onClose(() => kept?.thread.terminate());
  },
};
