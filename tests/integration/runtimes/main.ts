/**
 * Tests the packed package in every runtime it is meant for, and the suite in those that can run it. Prints a line for
 * each, and fails when one fails. A runtime that this machine can't have is a failure only under `CI=true`.
 *
 * `deno task test:runtimes` runs everything, `deno task test:runtimes bun workerd` the lines with one of the words.
 *
 * @module
 */

import { stop } from "esbuild";
import { buildPackage } from "../../../scripts/package.ts";
import { bodyTests } from "./bad_response_tests.ts";
import { browserTests } from "./browser_tests.ts";
import { commandTests } from "./command_tests.ts";
import { demoTest } from "./demo_test.ts";
import { packageTests } from "./package_tests.ts";
import { packedTests } from "./smoke_tests.ts";
import { createProject } from "./project.ts";
import { choose, report } from "./report.ts";
import { suiteTests } from "./suite_tests.ts";
import { installTools } from "./tools.ts";
import { typescriptTests } from "./typescript_tests.ts";
import { urlTest } from "./url_import_test.ts";

if (import.meta.main) {
  try {
    Deno.exitCode = await main() === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

/** Gives the number of tests that failed. */
async function main(): Promise<number> {
  await using project = await createProject(await buildPackage());
  const tests = choose([
    ...packageTests(project),
    ...typescriptTests(project),
    ...packedTests(project),
    ...bodyTests(project),
    ...commandTests(project),
    ...browserTests(project),
    urlTest,
    demoTest,
    ...suiteTests(),
  ], Deno.args);
  await installTools();
  return await report(tests, { mustHaveAll: Deno.env.get("CI") === "true" });
}
