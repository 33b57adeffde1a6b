/**
 * Pauses the requests to the token endpoint after a 429. The limit of this endpoint applies to the whole application, and each further
 * 429 counts toward an IP ban.
 *
 * @module
 */

import { RateLimitError } from "../core/errors.ts";
import type { AttemptResult, HttpResponse, Rejection } from "./attempt.ts";
import { isEdgeBlock } from "./edge.ts";
import type { Call, Gate } from "./gate.ts";
import { parseJson } from "./json.ts";
import type { CheckedOptions } from "./options.ts";
import { attemptUnlessPaused, newPause } from "./pause.ts";
import { PerPlatform } from "./per_platform.ts";
import { secondsAfterLimit } from "./rate_limit.ts";
import { RecentMap } from "./recent_map.ts";
import { maxApplicationPauseMs } from "./waits.ts";

/** The maximum number of remembered applications of a platform. */
const maxApplications = 100;

/** The pauses by client id. */
const pauses = /* @__PURE__ */ new PerPlatform(() => new RecentMap(maxApplications, newPause));

/** The gate to the token endpoint for the requests of one application. */
export class TokenEndpoint implements Gate {
  readonly #options: CheckedOptions;
  readonly #clientId: string;

  constructor(options: CheckedOptions, clientId: string) {
    this.#options = options;
    this.#clientId = clientId;
  }

  /** Makes an attempt, unless requests to the endpoint are paused. */
  attempt(call: Call, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const pause = pauses.for(this.#options).get(this.#clientId);
    return attemptUnlessPaused(pause, call, attempt, {
      waitAfter: waitAfterTooMany,
      maxPauseMs: maxApplicationPauseMs,
      rejection: pausedRejection,
    });
  }
}

/** Returns the wait after a response, in milliseconds; 0 if the response is not a 429 of the platform. */
function waitAfterTooMany(response: HttpResponse, { request }: Call): number {
  const json = parseJson(response.text);
  if (response.status !== 429 || isEdgeBlock(response.status, json)) return 0;
  return secondsAfterLimit(response, json, request) * 1000;
}

function pausedRejection({ requestLine }: Call, wait: number): Rejection {
  const error = new RateLimitError(
    `${requestLine} was not sent: the platform has limited token requests (429)`,
    { httpStatus: 429, retryAfter: Math.ceil(wait) / 1000 },
  );
  return { kind: "rejection", error };
}
