/**
 * Stops the requests to the token endpoint after a 429. The limit there is about the whole application, and each further 429 counts
 * toward a ban of its address.
 *
 * @module
 */

import { RateLimitError } from "../core/errors.ts";
import { sleep } from "../core/wait.ts";
import type { Answer, AttemptResult, Rejection } from "./attempt.ts";
import { parseJson } from "./json.ts";
import { PerPlatform } from "./per_platform.ts";
import type { CheckedOptions } from "./options.ts";
import { readRetryAfter } from "./rate_limit.ts";
import { RecentMap } from "./recent_map.ts";
import type { Call, Gate } from "./send.ts";

/** The pause after a 429 that states none, in milliseconds. */
const defaultPause = 5000;

/** The shortest and the longest pause, in milliseconds. Nobody can log in during a pause. */
const shortestPause = 1000;
const longestPause = 60_000;

/** The time between two looks at the outcome of another request, in milliseconds. */
const pollInterval = 50;

/** The most applications of a platform that are remembered. */
const maxApplications = 100;

/** The pause of the token endpoint after a 429. Times are those of `performance.now()`. */
interface Pause {
  /** The end of the time in which nothing is sent; `null` without a pause. */
  until: number | null;
  /** The time until which others wait for the outcome of the request that tries after the pause. */
  trialEndsAt: number;
}

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

  /**
   * Makes an attempt, unless the endpoint pauses. After a pause, one request is sent, and the others wait for its outcome with a
   * timer of their own.
   */
  async attempt(call: Call, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const pause = pauses.for(this.#options).get(this.#clientId);
    while (pause.until !== null) {
      const now = performance.now();
      if (now < pause.until) return pausedRejection(call, pause.until - now);
      if (now >= pause.trialEndsAt) {
        pause.trialEndsAt = Math.min(call.deadline, now + longestPause);
        break;
      }
      // A call that ends while it waits would look as if it had been sent, also if this process is busy.
      if (now + shortestPause > call.deadline) return pausedRejection(call, shortestPause);
      await sleep(pollInterval, call.signal);
    }
    const sentAt = performance.now();
    const result = await attempt();
    recordResult(pause, result, sentAt);
    return result;
  }
}

function newPause(): Pause {
  return { until: null, trialEndsAt: -Infinity };
}

/** Begins a pause after a 429. Ends it after another answer to a request that was sent after it. */
function recordResult(pause: Pause, result: AttemptResult, sentAt: number): void {
  const wasSentAfterPause = pause.until !== null && sentAt >= pause.until;
  if (result.kind === "answer" && result.status === 429) {
    const until = performance.now() + pauseAfterTooMany(result);
    pause.until = Math.max(pause.until ?? until, until);
  } else if (wasSentAfterPause && result.kind === "answer") pause.until = null;
  if (wasSentAfterPause) pause.trialEndsAt = -Infinity;
}

/** Returns the milliseconds to send nothing after a 429. */
function pauseAfterTooMany(answer: Answer): number {
  const seconds = readRetryAfter(answer, parseJson(answer.text));
  if (seconds === null) return defaultPause;
  return Math.min(Math.max(seconds * 1000, shortestPause), longestPause);
}

function pausedRejection({ requestLine }: Call, wait: number): Rejection {
  const error = new RateLimitError(
    `${requestLine} was not sent: the platform has answered 429 to a token request before, and has asked to wait`,
    { httpStatus: 429, retryAfter: Math.ceil(wait) / 1000 },
  );
  return { kind: "rejection", error };
}
