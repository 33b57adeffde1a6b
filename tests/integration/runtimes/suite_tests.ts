/**
 * Runs the test suite on other runtimes, with the packages in Deno's `node_modules`.
 *
 * @module
 */

import type { RuntimeTest } from "./report.ts";
import { binaryOf, type Runtime, versionOf } from "./tools.ts";
import { runVitest } from "./vitest.ts";

/** The tests whose outcome no runtime changes. `deno task test` runs them. */
const sameOnEveryRuntime = [
  // The compiler answers, not the library.
  "tests/mod_in_editor.test.ts",
  "tests/login/editor.test.ts",
  "tests/resources/granted_scopes.test.ts",
  "tests/integration/permission_code.test.ts",
  // The texts of files are compared.
  "tests/integration/comparison.test.ts",
  "tests/integration/docs_site.test.ts",
  "tests/integration/drift.test.ts",
  "tests/integration/drift_workflow.test.ts",
  "tests/integration/frameworks_guide.test.ts",
  "tests/integration/lock_files.test.ts",
  "tests/integration/release.test.ts",
  "tests/integration/release_channel.test.ts",
  "tests/integration/runtimes/report.test.ts",
  "tests/integration/sentences.test.ts",
  "tests/integration/update_bot.test.ts",
  "tests/integration/workflows.test.ts",
  "tests/integration/workflow_commands.test.ts",
  "tests/support/doc_assertions.test.ts",
  // Every field with every wrong value goes through the reader that `reading.test.ts` tests.
  "tests/resources/fields.test.ts",
];

/** Creates the tests. */
export function suiteTests(): RuntimeTest[] {
  return [suiteOn("node24", "Node 24"), suiteOn("bun", "Bun", "--bun")];
}

function suiteOn(runtime: Runtime, name: string, ...flags: string[]): RuntimeTest {
  return {
    runtime: name,
    title: "the test suite",
    async run() {
      const command = [binaryOf(runtime), ...flags, "node_modules/vitest/vitest.mjs"] as const;
      // Neither the types nor a simulated page depend on the runtime around them.
      const excluded = sameOnEveryRuntime.map((file) => `--exclude=${file}`);
      const { passed, skipped } = await runVitest(command, "--project=server", ...excluded);
      return [await versionOf(runtime), passed, skipped.map((test) => `skipped: ${test}`)];
    },
  };
}
