/**
 * Pauses the requests to the token endpoint after a 429. The limit of this endpoint applies to the whole application, and each further
 * 429 counts toward an IP ban.
 *
 * @module
 */

import type { AttemptResult } from "./attempt.ts";
import type { Call, Gate } from "./gate.ts";
import type { CheckedOptions } from "./options.ts";
import { attemptUnlessPaused } from "./pause.ts";
import { PerPlatform } from "./per_platform.ts";
import { RecentMap } from "./recent_map.ts";
import { newTokenPace, tokenPauseRules } from "./token_pause.ts";

/** The maximum number of remembered applications of a platform. */
const maxApplications = 100;

/** The paces by client id. */
const paces = /* @__PURE__ */ new PerPlatform(() => new RecentMap(maxApplications, newTokenPace));

/** The code for refreshes, after the first one: a login does not need it. */
let loaded: typeof import("./refresh_pace.ts") | undefined;

/** The gate to the token endpoint for the requests of one application. */
export class TokenEndpoint implements Gate {
  readonly #options: CheckedOptions;
  readonly #clientId: string;

  constructor(options: CheckedOptions, clientId: string) {
    this.#options = options;
    this.#clientId = clientId;
  }

  /** Makes an attempt, unless requests to the endpoint are paused. Refreshes also wait for their turn. */
  async attempt(call: Call, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const pace = paces.for(this.#options).get(this.#clientId);
    if (call.request.form?.["grant_type"] !== "refresh_token") {
      return await attemptUnlessPaused(pace.pause, call, attempt, tokenPauseRules);
    }
    loaded ??= await import("./refresh_pace.ts");
    // The client id and the address are not secret.
    const server = this.#options.apiUrl.replace(/^\w+:\/\//, "");
    const key = `guildpass:token-endpoint:${this.#clientId}:${server}`;
    return await loaded.attemptInTurn(pace, key, call, attempt);
  }
}
