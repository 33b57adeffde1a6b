/**
 * A process that competes with others for the values of a store. Each line of its input is a command.
 *
 * @module
 */

import type { Store } from "../../../../src/stores/store.ts";
import { replyToLines } from "../../../support/line_process.ts";
import { type OpenStore, openStore, type StoreAddress } from "./open_store.ts";

/** A command for a process. */
export type RaceCommand =
  | { readonly kind: "open"; readonly address: StoreAddress }
  /** Adds one to the number of each key, so many times. */
  | { readonly kind: "count"; readonly keys: readonly string[]; readonly times: number }
  /** Tries to create each key until it has a value of a racer. */
  | { readonly kind: "create"; readonly keys: readonly string[] }
  /** Takes the key as a lock and gives it back, so many times. */
  | { readonly kind: "lock"; readonly key: string; readonly times: number };

/** A value with its version, in a key. */
export interface RaceEntry {
  readonly key: string;
  readonly value: unknown;
  readonly version: string;
}

/** The result of a command. */
export interface RaceResult {
  /** The successful saves. */
  readonly saved: readonly RaceEntry[];
  /** The loaded values, each once. */
  readonly loaded: readonly RaceEntry[];
  /** The number of saves that lost against another one. */
  readonly lost: number;
  /** The error that has ended the command, or `null`. */
  readonly error: string | null;
}

async function main(name: string): Promise<void> {
  let open: OpenStore | null = null;
  await replyToLines(async (command: RaceCommand): Promise<RaceResult> => {
    if (command.kind === "open") {
      await open?.[Symbol.asyncDispose]();
      open = await openStore(command.address);
      // Otherwise, the connections would open during the race.
      await open.store.load("nothing");
      return { saved: [], loaded: [], lost: 0, error: null };
    }
    if (!open) throw new Error("No store is open");
    const racer = new Racer(open.store, name);
    await racer.run(command);
    return racer.result;
  });
}

class Racer {
  readonly #saved: RaceEntry[] = [];
  readonly #loaded = new Map<string, RaceEntry>();
  #lost = 0;
  #error: string | null = null;
  readonly #store: Store;
  readonly #name: string;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
  }

  get result(): RaceResult {
    const loaded = [...this.#loaded.values()];
    return { saved: this.#saved, loaded, lost: this.#lost, error: this.#error };
  }

  async run(command: Exclude<RaceCommand, { kind: "open" }>): Promise<void> {
    try {
      if (command.kind === "lock") return await this.#lock(command.key, command.times);
      await Promise.all(
        command.keys.map((key) =>
          command.kind === "count" ? this.#count(key, command.times) : this.#create(key)
        ),
      );
    } catch (error) {
      this.#error = String(error);
    }
  }

  async #count(key: string, times: number): Promise<void> {
    for (let wins = 0; wins < times;) {
      const found = await this.#load(key);
      const next = Number(found?.value ?? 0) + 1;
      // The others get a turn, also if the client of the database is not asynchronous.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2));
      if (await this.#save(key, next, found?.version ?? null)) wins++;
    }
  }

  async #create(key: string): Promise<void> {
    while (!await this.#save(key, this.#name, null)) {
      const found = await this.#load(key);
      // Until it expires, the key has another value.
      if (found && found.value !== "old") return;
    }
  }

  async #lock(key: string, times: number): Promise<void> {
    for (let turn = 0; turn < times; turn++) {
      const version = await this.#take(key, `${this.#name} ${turn}`);
      // Only the owner of the lock changes its value now.
      const kept = await this.#save(key, `${this.#name} ${turn} kept`, version);
      if (kept === null) throw new Error("Another process has changed a lock");
      if (turn % 2 === 0) await this.#store.delete(key);
      else if (!await this.#save(key, "over", kept, Date.now() - 1000)) {
        throw new Error("Another process has removed a lock");
      }
    }
  }

  async #take(key: string, value: string): Promise<string> {
    while (true) {
      const version = await this.#save(key, value, null, Date.now() + 600_000);
      if (version !== null) return version;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async #load(key: string) {
    const found = await this.#store.load(key);
    if (found) this.#loaded.set(`${key} ${found.version}`, { key, ...found });
    return found;
  }

  async #save(
    key: string,
    value: unknown,
    expected: string | null,
    expiresAt?: number,
  ): Promise<string | null> {
    const version = await this.#store.save(key, value, { version: expected, expiresAt });
    if (version === null) this.#lost++;
    else this.#saved.push({ key, value, version });
    return version;
  }
}

// The class above exists only from here on.
if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "null"));
