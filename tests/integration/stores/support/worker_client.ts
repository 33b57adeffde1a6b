/**
 * Calls the stores of Cloudflare in a Worker.
 *
 * @module
 */

import type { Store } from "../../../../src/stores/store.ts";

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

/** Returns a store of the Worker at an address. */
export function workerStore(url: string, kind: WorkerStoreKind): Store {
  const send = async (call: StoreCall) => {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(call) });
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  };
  return {
    load: async (...args) => await send({ kind, method: "load", args }) as never,
    save: async (...args) => await send({ kind, method: "save", args }) as never,
    delete: async (...args) => {
      await send({ kind, method: "delete", args });
    },
  };
}
