/**
 * Compares logins with several libraries: runs `compare.ts` on Node, which Deno brings along.
 *
 * ```sh
 * deno task compare:login
 * ```
 *
 * @module
 */

import { binaryOf, installTools } from "../../tests/runtimes/tools.ts";

if (import.meta.main) {
  await installTools();
  const { success } = await new Deno.Command(binaryOf("node24"), {
    args: ["--import=./npm_specifiers.ts", "compare.ts"],
    cwd: new URL("./", import.meta.url),
    env: { NODE_ENV: "production" },
  }).spawn().status;
  if (!success) Deno.exitCode = 1;
}
