/**
 * The token endpoint of a platform, whose limit applies to a whole application. Each 429 counts toward an IP ban.
 *
 * @module
 */

import type { AttemptResult } from "../attempt.ts";
import type { Call, Gate } from "../gate.ts";
import type { CheckedOptions } from "../options.ts";
import type { Claim } from "./claim.ts";
import { throwIfBlocked } from "./pause.ts";
import { statePerPlatform } from "./per_platform.ts";
import { RecentMap } from "./recent_map.ts";
import { newTokenPace, recordInPace, takeSlot, type TokenPace, waitForPace } from "./token_pace.ts";

/** The path of the endpoint. */
export const tokenPath = "/oauth2/token";

/** The maximum number of remembered applications of a platform. */
const maxApplications = 100;

/** Creates the paces of a platform, by client id. */
const newPaces = () => new RecentMap<TokenPace>(maxApplications, newTokenPace);

/** The gate to the token endpoint for the requests of one application. */
export class TokenEndpoint implements Gate {
  readonly #options: CheckedOptions;
  readonly #clientId: string;

  constructor(options: CheckedOptions, clientId: string) {
    this.#options = options;
    this.#clientId = clientId;
  }

  /** Makes an attempt at the pace of the application. */
  async attempt(call: Call, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const pace = this.#pace();
    const rejection = await waitForPace(pace, call);
    if (rejection) return rejection;
    const sentAt = performance.now();
    const result = await attempt();
    recordInPace(pace, call, sentAt, result);
    return result;
  }

  /**
   * Takes a slot for a refresh that is not sent yet, as {@link takeSlot} does.
   *
   * @throws {ApiError} In the pause after a block by the edge.
   */
  async takeSlot(refreshToken: string, latest: number): Promise<Claim | null> {
    const call = { requestLine: `POST ${this.#options.apiUrl}${tokenPath}`, signal: null };
    throwIfBlocked(this.#options, call);
    return await takeSlot(this.#pace(), refreshToken, call, latest);
  }

  #pace(): TokenPace {
    return statePerPlatform(this.#options, newPaces).get(this.#clientId);
  }
}
