/**
 * Checks that the Worker example can be deployed: checks its types with the built package, and runs
 * `wrangler deploy --dry-run`. Prints the size of the upload.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { run } from "./command.ts";
import { createWorkerProject, tool, wranglerEnvironment } from "./worker_project.ts";

const project = await createWorkerProject();
await run(tool("tsc"), { cwd: project });
console.log("Types: no problem");
const printed = await run(tool("wrangler", "deploy", "--dry-run", "--outdir", "out"), {
  cwd: project,
  env: wranglerEnvironment,
});
console.log(printed);
const bundle = await Deno.readFile(`${project}/out/index.js`);
console.table([{
  bundle: "cloudflare_worker",
  bytes: bundle.length,
  gzipped: gzipSync(bundle, { level: 9 }).length,
}]);
