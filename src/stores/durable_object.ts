/**
 * A store in Cloudflare Durable Objects.
 *
 * @module
 */

import { throwBadObject } from "../core/arguments.ts";
import { checkOptionNames } from "../core/options.ts";
import type { Store } from "./store.ts";
import { checkedKey, loadedText, savedText } from "./store_text.ts";

/** The binding of the Durable Objects. */
export interface StoredEntryNamespace {
  /** Returns the object with a name. */
  getByName(name: string): {
    fetch(
      url: string,
      init: { method: string; body: string },
    ): Promise<{ json(): Promise<unknown> }>;
  };
}

/** The state of a {@link StoredEntry}. */
export interface StoredEntryState {
  /** The storage of the object, in SQLite. */
  readonly storage: {
    readonly kv: { get(key: string): unknown; put(key: string, value: unknown): void };
    deleteAll(): Promise<void>;
    setAlarm(time: number): Promise<void>;
  };
}

/** Options of {@link durableObjectStore}. */
export interface DurableObjectStoreOptions {
  /** A prefix for the name of each object. @default {""} */
  readonly prefix?: string | null | undefined;
}

interface Entry {
  readonly json: string;
  readonly version: string;
  readonly expiresAt: number | null;
}

/** A request to an object. */
type EntryCall =
  | { readonly kind: "load" | "delete" }
  | { readonly kind: "save"; readonly entry: Entry; readonly version: string | null };

/**
 * Returns a store in Durable Objects, with one object for each value. An object removes its value when it expires. Export
 * {@link StoredEntry} from the Worker, and name it in `wrangler.jsonc`:
 *
 * ```jsonc
 * "durable_objects": {
 *   "bindings": [{ "name": "ENTRIES", "class_name": "StoredEntry" }],
 * },
 * "migrations": [{ "tag": "v1", "new_sqlite_classes": ["StoredEntry"] }],
 * ```
 *
 * @param namespace The binding, as in `env.ENTRIES`.
 * @param options The prefix of the names.
 * @throws {TypeError} If the binding or an option is wrong.
 *
 * @example
 * ```ts ignore
 * import { durableObjectStore } from "@guildpass/sdk/stores/durable-object";
 *
 * export { StoredEntry } from "@guildpass/sdk/stores/durable-object";
 *
 * const store = durableObjectStore(env.ENTRIES);
 * ```
 */
export function durableObjectStore(
  namespace: StoredEntryNamespace,
  options?: DurableObjectStoreOptions | null,
): Store {
  if (typeof namespace?.getByName !== "function") {
    throwBadObject("namespace", "a Durable Object binding, like env.ENTRIES", namespace);
  }
  checkOptionNames("options", options, ["prefix"]);
  const prefix = options?.prefix ?? "";
  const call = async (key: string, call: EntryCall): Promise<unknown> => {
    const body = JSON.stringify(call);
    const response = await namespace.getByName(prefix + checkedKey(key))
      .fetch("https://entry.internal/", { method: "POST", body });
    return await response.json();
  };
  return {
    async load(key) {
      const entry = await call(key, { kind: "load" }) as Entry | null;
      return entry && loadedText(entry.json, entry.version);
    },
    async save(key, value, options) {
      const { text: json, version, expiresAt: end } = savedText(value, options);
      const entry = { json, version, expiresAt: end === null ? null : Number(end) };
      const hasSaved = await call(key, { kind: "save", entry, version: options.version });
      return hasSaved === true ? version : null;
    },
    async delete(key) {
      await call(key, { kind: "delete" });
    },
  };
}

/** The Durable Object of one value. The runtime creates it. */
export class StoredEntry {
  readonly #storage: StoredEntryState["storage"];

  /** Creates the object of a value. Only the runtime calls this. */
  constructor({ storage }: StoredEntryState) {
    this.#storage = storage;
  }

  /** Runs an operation of the store. Returns the result as JSON. */
  async fetch(request: Request): Promise<Response> {
    return Response.json(await this.#run(await request.json()));
  }

  /** Removes the value if it has expired. A later save may have extended its lifetime. */
  async alarm(): Promise<void> {
    if (!this.#find()) await this.#storage.deleteAll();
  }

  async #run(call: EntryCall): Promise<unknown> {
    if (call.kind === "load") return this.#find();
    if (call.kind === "save") return await this.#save(call.entry, call.version);
    await this.#storage.deleteAll();
    return null;
  }

  #find(): Entry | null {
    const entry = this.#storage.kv.get("entry") as Entry | undefined;
    return entry && (entry.expiresAt ?? Infinity) > Date.now() ? entry : null;
  }

  /** Saves if the version matches. The storage is synchronous, so that no other save comes between `#find` and `put`. */
  async #save(entry: Entry, version: string | null): Promise<boolean> {
    if ((this.#find()?.version ?? null) !== version) return false;
    this.#storage.kv.put("entry", entry);
    // The runtime refuses an alarm at 0 or earlier.
    if (entry.expiresAt !== null) await this.#storage.setAlarm(Math.max(1, entry.expiresAt));
    return true;
  }
}
