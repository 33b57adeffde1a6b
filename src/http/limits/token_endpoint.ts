/**
 * Pauses the requests to the token endpoint after a 429. The limit of this endpoint applies to the whole application, and each further
 * 429 counts toward an IP ban.
 *
 * @module
 */

import type { AttemptResult } from "../attempt.ts";
import type { Call, Gate } from "../gate.ts";
import type { CheckedOptions } from "../options.ts";
import { attemptUnlessPaused, newPause, type Pause } from "./pause.ts";
import { statePerPlatform } from "./per_platform.ts";
import { RecentMap } from "./recent_map.ts";
import { attemptInTurn, newRefreshPace, type RefreshPace } from "../refresh_pace.ts";

/** The state of an application. */
interface Application {
  /** The pause after a 429, for all token requests. A block by the edge begins another one, for all requests. */
  readonly pause: Pause;
  /** The pace of the refreshes; `null` before the first one. */
  pace: RefreshPace | null;
}

/** The maximum number of remembered applications of a platform. */
const maxApplications = 100;

/** Creates the applications of a platform, by client id. */
const newApplications = () =>
  new RecentMap<Application>(maxApplications, () => ({ pause: newPause(false), pace: null }));

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
    const application = statePerPlatform(this.#options, newApplications).get(this.#clientId);
    return call.request.form?.["grant_type"] === "refresh_token"
      ? await this.#attemptRefresh(application, call, attempt)
      : await attemptUnlessPaused(application.pause, call, attempt);
  }

  async #attemptRefresh(
    application: Application,
    call: Call,
    attempt: () => Promise<AttemptResult>,
  ): Promise<AttemptResult> {
    // The client id and the address are not secret.
    const server = this.#options.apiUrl.replace(/^\w+:\/\//, "");
    const key = `guildpass:token-endpoint:${this.#clientId}:${server}`;
    application.pace ??= newRefreshPace(application.pause);
    return await attemptInTurn(application.pace, key, call, attempt);
  }
}
