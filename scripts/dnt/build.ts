/**
 * Builds the package with dnt, with the options in the first argument, as JSON. The lock file in this folder pins dnt's own
 * dependencies. It is not that of the project: everybody who runs the tests would download dnt.
 *
 * @module
 */

import { build } from "@deno/dnt";

await build(JSON.parse(Deno.args[0] ?? ""));
