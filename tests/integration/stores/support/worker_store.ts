/**
 * Runs the stores of Cloudflare in workerd.
 *
 * @module
 */

import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { fileURLToPath } from "node:url";
import { d1Table } from "../../../../src/stores/d1.ts";

/** Starts the Worker of the stores on a port of its own. */
export async function startWorker(): Promise<AsyncDisposable & { readonly url: string }> {
  const miniflare = new Miniflare({
    modules: true,
    script: await bundle(new URL("worker.ts", import.meta.url)),
    compatibilityDate: "2026-06-01",
    d1Databases: ["DB"],
    durableObjects: { ENTRIES: { className: "StoredEntry", useSQLite: true } },
  });
  const database = await miniflare.getD1Database("DB");
  // Like a migration: `exec` runs one statement in each line.
  await database.exec(d1Table().replaceAll(/\n(?!create)/g, " "));
  const { href: url } = await miniflare.ready;
  return { url, [Symbol.asyncDispose]: () => miniflare.dispose() };
}

async function bundle(entry: URL): Promise<string> {
  const { outputFiles: [output] } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    format: "esm",
    target: "es2022",
    external: ["cloudflare:workers"],
    write: false,
    logLevel: "error",
  });
  if (!output) throw new Error(`${entry} could not be bundled`);
  return output.text;
}
