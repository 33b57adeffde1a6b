/**
 * State that this process keeps for each platform, such as the end of a rate limit. Clients with the same platform and `fetch` share
 * the state, so that a new client for each request does not repeat a refused request. The state is plain data: on Cloudflare Workers
 * a request can't wait for a promise or timer of another request.
 *
 * @module
 */

import type { CheckedOptions, Fetch } from "../options.ts";
import { RecentMap } from "../../core/recent_map.ts";

/** The maximum number of platforms of one `fetch`. */
const maxPlatforms = 100;

/** The states by `fetch`, platform, and the function that created the state. Made at the first use, since no code runs at import. */
let platforms: WeakMap<Fetch, RecentMap<Map<unknown, unknown>>> | undefined;

/**
 * Returns the state of a client's platform.
 *
 * @param create Creates the state. The same function gives the same state again.
 */
export function statePerPlatform<State>(
  { fetch, apiUrl }: CheckedOptions,
  create: () => State,
): State {
  const key = fetch ?? globalThis.fetch;
  platforms ??= new WeakMap();
  let known = platforms.get(key);
  if (!known) {
    known = new RecentMap(maxPlatforms, () => new Map());
    platforms.set(key, known);
  }
  const states = known.get(apiUrl);
  if (!states.has(create)) states.set(create, create());
  return states.get(create) as State;
}
