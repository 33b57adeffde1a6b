/**
 * State that this process keeps for each platform, such as the end of a rate limit. Clients with the same platform and `fetch` share
 * the state, so that a new client for each request does not repeat a refused request. The state is plain data: on Cloudflare Workers
 * a request can't wait for a promise or timer of another request.
 *
 * @module
 */

import type { CheckedOptions, Fetch } from "./options.ts";
import { RecentMap } from "./recent_map.ts";

/** The maximum number of platforms of one `fetch`. */
const maxPlatforms = 100;

/** One kind of state for each platform. */
export class PerPlatform<Value> {
  readonly #create: () => Value;
  readonly #platforms = new WeakMap<Fetch, RecentMap<Value>>();

  /** @param create Creates the state of a new platform. */
  constructor(create: () => Value) {
    this.#create = create;
  }

  /** Returns the state of a client's platform. */
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
