/**
 * Runs the clients of others against the fake platform. They are made for Node, so they run there, and their tests
 * too: Deno brings the binary.
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
