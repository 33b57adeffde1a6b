/** Starts the Worker example on this machine with a fake platform beside it, so that you need no account. */

import { choosePort } from "../examples/shared/port.ts";
import { createWorkerProject, tool, wranglerEnvironment } from "./worker_project.ts";

const port = choosePort(8787);
console.log(`Open http://localhost:${port} and log in (a fake platform, no account needed)`);
const cwd = await createWorkerProject();
const [program, ...args] = tool(
  "wrangler",
  "dev",
  ...["--config", "demo/wrangler.jsonc"],
  ...["--port", String(port)],
);
const wrangler = new Deno.Command(program, { args, cwd, env: wranglerEnvironment }).spawn();
// Without this, wrangler would keep running if only this process gets the signal.
const stop = () => wrangler.kill("SIGTERM");
Deno.addSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);
const { code, signal } = await wrangler.status;
Deno.exit(signal ? 0 : code);
