/**
 * Reads Discord's signing keys, and caches them for an hour.
 *
 * @module
 */

import { GuildpassError } from "../core/errors.ts";
import { deadlineIn } from "../core/wait.ts";
import { otherCallTimeoutError } from "../http/call_errors.ts";
import { requestLineOf } from "../http/request.ts";
import { type Claim, isHeld, newClaim, release, untilReleased } from "../http/limits/claim.ts";
import {
  type CallOptions,
  checkOptions,
  type ClientOptions,
  createReport,
} from "../http/options.ts";
import { type PlatformState, platformState } from "../http/limits/platform_state.ts";
import { edgeBlock } from "../http/limits/pause.ts";
import { waitBeforeKeys } from "../http/next_step.ts";
import { requestJson } from "../http/send.ts";
import { maxKeyAgeMs, maxKeyFailureSeconds, minKeyAgeMs } from "../http/waits.ts";
import { type SigningKey, toSigningKeys } from "../resources/openid.ts";

/** Reads the keys of a platform. */
export interface KeyReader {
  /** Returns all keys. Sends a request unless the keys were read within the last hour. */
  read(): Promise<readonly SigningKey[]>;
  /** Returns all keys after a token with an unknown key. Sends a request unless the keys were read within the last 30 seconds. */
  readAgain(): Promise<readonly SigningKey[]>;
}

/** The keys of one platform, and the state of the requests for them. Times are in milliseconds since the epoch. */
interface KnownKeys {
  keys: readonly SigningKey[];
  /** `-Infinity` before the first success. */
  readAt: number;
  /** The error of the last failed request. */
  failure: GuildpassError | null;
  /** The time at which the pause after a failed request ends. */
  failureEndsAt: number;
  /** The claim of the request under way. */
  readonly request: Claim;
}

/** The keys of the platforms that this process knows. */
const keysOfPlatforms = /* @__PURE__ */ new WeakMap<PlatformState, KnownKeys>();

/** Returns the keys of a platform, which the readers of this process share. */
function knownKeysOf(platform: PlatformState): KnownKeys {
  const known = keysOfPlatforms.get(platform) ?? {
    keys: [],
    readAt: -Infinity,
    failure: null,
    failureEndsAt: -Infinity,
    request: newClaim(),
  };
  keysOfPlatforms.set(platform, known);
  return known;
}

/**
 * Creates the reader for the keys of the platform in the options.
 *
 * After a failed request, further calls fail with the same error for ten seconds, or for the wait that Discord demands, up to a
 * minute. While a request is under way, other calls poll for its result with their own timers.
 *
 * @throws {TypeError} If an option is wrong.
 */
export function createKeyReader(options: ClientOptions & CallOptions): KeyReader {
  const checked = checkOptions(options);
  const { signal } = options;
  const endpoint = { method: "GET", path: "/oauth2/keys" } as const;
  const deadline = deadlineIn(checked.timeout);
  const report = createReport(options.onUnexpected, endpoint);
  const platform = platformState(checked);
  const known = knownKeysOf(platform);

  const readUnlessYounger = async (age: number): Promise<readonly SigningKey[]> => {
    while (true) {
      const now = Date.now();
      // The clock may have been set back.
      if (Math.abs(now - known.readAt) < age) return known.keys;
      const pause = known.failureEndsAt - now;
      if (known.failure && pause > 0 && pause <= maxKeyFailureSeconds * 1000) throw known.failure;
      if (!isHeld(known.request)) break;
      if (!await untilReleased(known.request, deadline.at, signal)) {
        throw otherCallTimeoutError(requestLineOf(endpoint, checked.apiUrl), deadline);
      }
    }
    const sentAt = Date.now();
    known.request.heldUntil = deadline.at;
    try {
      // Forged tokens with unknown keys must not cause retries. Without any key, every token needs the response.
      const isSentOnce = known.keys.length > 0;
      const request = { ...endpoint, signal, deadline, isSentOnce };
      const payload = await requestJson(request, checked, platform, [edgeBlock]);
      known.keys = toSigningKeys(payload, report);
      known.readAt = sentAt;
      return known.keys;
    } catch (error) {
      // If the caller's signal has fired, nothing is known about Discord.
      if (error instanceof GuildpassError) {
        known.failure = error;
        known.failureEndsAt = Date.now() + waitBeforeKeys(error);
      }
      throw error;
    } finally {
      release(known.request);
    }
  };
  return {
    read: () => readUnlessYounger(maxKeyAgeMs),
    readAgain: () => readUnlessYounger(minKeyAgeMs),
  };
}
