/**
 * Lets tests call the stores of Cloudflare in workerd.
 *
 * @module
 */

import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { Store } from "../../../../src/stores/store.ts";
import { d1Table } from "../../../../src/stores/d1.ts";

/** The name of a store in the Worker. */
export type WorkerStoreKind = "d1" | "d1 with drizzle" | "durable object";

/** The call in a request to the Worker. */
export type StoreCall =
  & { readonly kind: WorkerStoreKind }
  & {
    [Method in keyof Store]: {
      readonly method: Method;
      readonly args: Parameters<Store[Method]>;
    };
  }[keyof Store];

/** Starts the Worker for the tests of a file, and returns its stores. */
export async function startWorkerStores(): Promise<(kind: WorkerStoreKind) => Store> {
  const miniflare = new Miniflare({
    modules: true,
    script: await bundle(new URL("worker.ts", import.meta.url)),
    compatibilityDate: "2026-06-01",
    d1Databases: ["DB"],
    durableObjects: { ENTRIES: { className: "StoredEntry", useSQLite: true } },
  });
  afterAll(() => miniflare.dispose());
  const database = await miniflare.getD1Database("DB");
  // Like a migration: `exec` runs one statement in each line.
  await database.exec(d1Table().replaceAll(/\n(?!create)/g, " "));
  const send = async (call: StoreCall) => {
    const body = JSON.stringify(call);
    const response = await miniflare.dispatchFetch("https://worker.test/", {
      method: "POST",
      body,
    });
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  };
  return (kind) => ({
    load: async (...args) => await send({ kind, method: "load", args }) as never,
    save: async (...args) => await send({ kind, method: "save", args }) as never,
    delete: async (...args) => {
      await send({ kind, method: "delete", args });
    },
  });
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
