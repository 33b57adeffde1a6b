/**
 * Bundles the demo for the home page, where it runs without a server.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { bundleScript, npmSpecifiers, type Plugin } from "../page_bundle.ts";

const folder = new URL("../../examples/demo/in_page/", import.meta.url);

/** The modules that a page does not have, each with its replacement. */
const replaced: Readonly<Record<string, string>> = {
  "./modules.ts": "modules.ts",
  "node:async_hooks": "async_hooks.ts",
};

/** Returns the script. It fills the element with the id `login-demo`. */
export async function bundleLoginDemo(): Promise<string> {
  return await bundleScript(new URL("main.ts", folder), {
    format: "esm",
    inject: [fileURLToPath(new URL("http.ts", folder))],
    plugins: [npmSpecifiers(), replaceModules()],
  });
}

function replaceModules(): Plugin {
  return {
    name: "modules of the demo",
    setup({ onResolve }): void {
      onResolve({ filter: /^(\.\/modules\.ts|node:async_hooks)$/ }, ({ path }) => {
        return { path: fileURLToPath(new URL(replaced[path] ?? path, folder)) };
      });
    },
  };
}
