/**
 * Tests the packed package in every runtime it is meant for, and the suite in those that can run it. Prints a line for
 * each, and fails when one fails.
 *
 * `deno task test:runtimes` runs everything, `deno task test:runtimes bun workerd` the lines with one of the words.
 *
 * @module
 */

import { stop } from "esbuild";
import { buildNpm } from "../../scripts/build_npm.ts";
import { browserTests } from "./browser_tests.ts";
import { commandTests } from "./command_tests.ts";
import { packageTests } from "./package_tests.ts";
import { packedTests } from "./packed_tests.ts";
import { createProject } from "./project.ts";
import { report } from "./report.ts";
import { suiteTests } from "./suite_tests.ts";
import { installTools } from "./tools.ts";
import { urlTest } from "./url_test.ts";

if (import.meta.main) {
  await installTools();
  await using project = await createProject(await buildNpm());
  const tests = [
    ...packageTests(project),
    ...packedTests(project),
    ...commandTests(project),
    ...browserTests(project),
    urlTest,
    ...suiteTests(),
  ];
  const words = Deno.args.map((word) => word.toLowerCase());
  const chosen = tests.filter(({ runtime, what }) => {
    const line = `${runtime} ${what}`.toLowerCase();
    return !words.length || words.some((word) => line.includes(word));
  });
  if (await report(chosen)) Deno.exitCode = 1;
  await stop();
}
