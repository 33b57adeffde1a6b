/**
 * Tests the packed package in every supported runtime, and runs tests of the source in Node and Bun. Prints a
 * line for each test, and fails if one fails. A runtime that this machine can't have is a failure only under `CI=true`.
 *
 * `deno task test:runtimes` runs everything; `deno task test:runtimes bun workerd` runs the lines with one of the words, and
 * `deno task test:runtimes -workerd` those without it. With `--whole`, Node and Bun run the whole test suite.
 *
 * @module
 */

import { stop } from "esbuild";
import { buildPackage } from "../../../scripts/package.ts";
import { closeBrowsers } from "../../support/browsers.ts";
import { badResponseTests } from "./bad_response_tests.ts";
import { browserTests } from "./browser_tests.ts";
import { commandTests } from "./command_tests.ts";
import { demoTest } from "./demo_test.ts";
import { packageTests } from "./package_tests.ts";
import { pageViewTest } from "./page_view_test.ts";
import { parcelTest } from "./parcel_test.ts";
import { smokeTests } from "./smoke_tests.ts";
import { createProject } from "./project.ts";
import { runAndReport, selectTests } from "./report.ts";
import { suiteTests } from "./suite_tests.ts";
import { installTools } from "./tools.ts";
import { typescriptTests } from "./typescript_tests.ts";
import { urlImportTests } from "./url_import_test.ts";

if (import.meta.main) {
  try {
    Deno.exitCode = await main() === 0 ? 0 : 1;
  } finally {
    await closeBrowsers();
    await stop();
  }
}

/** Returns the number of tests that failed. */
async function main(): Promise<number> {
  await using project = await createProject(await buildPackage());
  const isWhole = Deno.args.includes("--whole");
  // The longest ones are first, so that none of them runs alone at the end.
  const tests = selectTests([
    ...suiteTests(isWhole),
    ...browserTests(project),
    ...packageTests(project),
    ...typescriptTests(project),
    ...smokeTests(project),
    ...badResponseTests(project),
    pageViewTest(project),
    parcelTest(project),
    ...commandTests(project),
    ...urlImportTests(),
    demoTest,
  ], Deno.args.filter((word) => word !== "--whole"));
  await installTools();
  return await runAndReport(tests, { requireAll: Deno.env.get("CI") === "true" });
}
