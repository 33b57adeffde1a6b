/**
 * Runs the clients of other people against the fake platform. They are made for Node, so their tests run in Node, which
 * Deno installs.
 *
 * @module
 */

import { binaryOf, installTools } from "../runtimes/tools.ts";

if (import.meta.main) {
  await installTools();
  const { success } = await new Deno.Command(binaryOf("node24"), {
    args: ["node_modules/vitest/vitest.mjs", "run", ...Deno.args],
    cwd: new URL("./", import.meta.url),
  }).spawn().status;
  if (!success) Deno.exitCode = 1;
}
