/**
 * Serves the built site on `http://localhost:8791`, in the folder of a host for which it was built.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { serve } from "vitepress";

const home = await Deno.readTextFile(new URL("../../site/index.html", import.meta.url))
  .catch(() => "");
const [, base] = /href="([^"]*)logo\.svg"/.exec(home) ?? [];
if (!base) {
  console.error("There is no site yet: first run `deno task --cwd scripts/docs_site build`");
  Deno.exit(1);
}
await serve({ root: fileURLToPath(new URL(".", import.meta.url)), base, port: 8791 });
