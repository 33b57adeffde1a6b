/**
 * Knowledge of this process about platforms, such as when a limit ends. Clients with the same platform and the same `fetch` share it,
 * so that a client for each request does not repeat what was refused. It is plain data: on Cloudflare Workers a request can't wait
 * for a promise or timer of another one.
 *
 * @module
 */

import type { CheckedOptions, Fetch } from "./options.ts";
import { RecentMap } from "./recent_map.ts";

/** The maximum number of platforms of one `fetch`. */
const maxPlatforms = 100;

/** One kind of knowledge about each platform. */
export class PerPlatform<Value> {
  readonly #create: () => Value;
  readonly #platforms = new WeakMap<Fetch, RecentMap<Value>>();

  /** @param create Creates the knowledge about a new platform. */
  constructor(create: () => Value) {
    this.#create = create;
  }

  /** Returns the knowledge about the platform of a client. */
  for({ fetch, apiUrl }: CheckedOptions): Value {
    const key = fetch ?? globalThis.fetch;
    let known = this.#platforms.get(key);
    if (!known) {
      known = new RecentMap(maxPlatforms, this.#create);
      this.#platforms.set(key, known);
    }
    return known.get(apiUrl);
  }
}
