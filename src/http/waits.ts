/**
 * Every wait, pause and margin of the library, and every lifetime that it chooses, with the reason for each. A name ends in its unit.
 * The defaults of public options are next to the options.
 *
 * @module
 */

import { maxTimerMs } from "../core/wait.ts";

// A 429, and a block by the edge in front of Discord

/**
 * The wait after a 429 that does not state a wait. Such a response comes from a proxy or from a platform in trouble. Each further
 * 429 counts toward an IP ban, which comes after 10,000 refused requests in ten minutes.
 */
export const defaultLimitSeconds = 5;

/** The minimum wait after a 429 to a request without the token of a user or bot, which limits the whole application. */
export const minApplicationLimitSeconds = 1;

/** The minimum wait after any other 429. Some responses state 0 seconds. */
export const minLimitSeconds = 0.25;

/** The maximum wait for the global limit, which delays the requests of all users. */
export const maxGlobalLimitSeconds = 60;

/** The maximum wait that a response can demand. A longer wait would block requests for good. */
export const maxStatedSeconds = 86_400;

/** The maximum random time that is added to a wait, so that waiting clients do not all send at the same moment. */
export const maxJitterMs = 1000;

/** Adds a random part of up to 5 % and up to a second, so that waiting clients do not all send at once, and 1 ms against rounding. */
export function jitter(milliseconds: number): number {
  return Math.min(
    1 + milliseconds + Math.random() * Math.min(milliseconds / 20, maxJitterMs),
    maxTimerMs,
  );
}

/**
 * The maximum pause of token requests after a 429, and of all requests after a block, even with a longer stated wait. Visitors can't
 * log in during the pause.
 */
export const maxPauseMs = 60_000;

/** The time to wait after a block that states no wait. It allows 20 requests in ten minutes; 10,000 refused requests cause a block. */
export const defaultBlockSeconds = 30;

/** The minimum wait after a block. Some blocks state 0 seconds. */
export const minBlockSeconds = 3;

/** The maximum wait after a block. Some blocks end sooner than they state. */
export const maxBlockSeconds = 60;

/** The maximum time of the trial request after a pause. After that, another request becomes the trial request. */
export const maxTrialMs = 60_000;

/** The time before its deadline at which a call stops waiting for a trial request. A timeout would mean that the call was sent. */
export const pauseReserveMs = 1000;

// The refreshes of a process

/**
 * The maximum of the first random wait of refreshes after a 429 or after failures of Discord. It doubles with each further 429 or
 * failure. `deno task --cwd scripts/lab soak:hundred` shows the effect.
 */
export const firstRefreshWaitMs = 4000;

/** The maximum random wait of refreshes. In an outage, a hundred processes then send four or five requests a second. */
export const maxRefreshWaitMs = 60_000;

/** The maximum time for which a refresh holds its slot. A request of a Worker may just stop. */
export const maxSlotMs = 5000;

// The queue of a client

/** The time for which a 401 is remembered. Refused requests count toward an IP ban. */
export const refusalLifetimeMs = 300_000;

/** The length of a rate limit's window until a response states the length. */
export const defaultWindowMs = 1000;

/**
 * The time for which a request without a response takes a place in its window. After this time, Discord has counted the request
 * or never will. A response may never arrive, as on a stopped Worker.
 */
export const maxFlightMs = 2000;

/** The time after a 429 without a stated limit during which requests are sent one at a time. */
export const oneAtATimeMs = 10_000;

/** The interval at which a queue polls the shared limits and the trial requests of other clients. */
export const queuePollMs = 100;

// A request

/** The pause before the first retry. Most broken connections work again at once. */
export const firstRetryMs = 250;

/** The pause before each further retry. It fits twice into the default time limit. */
export const nextRetryMs = 1000;

/** The time beyond the time limit for reading an issued token, which would be lost otherwise. */
export const issuedTokenReadMs = 3000;

// One call works, and others wait for it

/** The minimum interval at which a call polls another call's claim. A response within a data center takes about as long. */
export const minClaimPollMs = 5;

/** The maximum interval at which a call polls another call's claim. Up to this maximum, the interval is a twentieth of the wait so far. */
export const maxClaimPollMs = 50;

/** The interval at which a shared read extends its claim. */
export const readBeatMs = 100;

/** The time after which a shared read's claim ends, unless extended. Then another call takes over: a Worker's request may just stop. */
export const maxReadSilenceMs = 500;

/** The first polling delay for a record of another process. Each further delay is twice as long, times a random factor from 1 to 2. */
export const firstStorePollMs = 20;

/** The maximum polling delay for a record, without the random factor. */
export const maxStorePollMs = 400;

// Signing keys

/** The maximum age of signing keys. */
export const maxKeyAgeMs = 60 * 60 * 1000;

/** The minimum time between two requests that unknown keys cause, so that not every forged token causes a request. */
export const minKeyAgeMs = 30 * 1000;

/** The time to wait after a failed request for keys, if no wait is stated. The error of a 429 always has a wait. */
export const defaultKeyFailureSeconds = 10;

/** The maximum wait after a failed request for keys. An `id_token` that needs a request can't be verified meanwhile. */
export const maxKeyFailureSeconds = 60;

// The login of a device

/** The minimum polling interval of a device login. */
export const minDevicePollMs = 1000;

/** The time that each `slow_down` adds to the polling interval of a device login (RFC 8628 section 3.5). */
export const slowDownMs = 5000;

// Tokens

/** The maximum difference between the clocks of two machines that this library allows for. */
export const clockDifferenceMs = 60_000;

/** The lifetime of a token without a stated lifetime. This is the lifetime of Discord's tokens. */
export const defaultTokenLifetimeSeconds = 7 * 86_400;

/** The time for which an expired token without a refresh token is kept, so that errors name the cause. */
export const keptAfterEndMs = 24 * 60 * 60_000;

/** The first wait of a token after a refresh that Discord did not process. Each further wait is twice as long. */
export const firstBackoffMs = 60_000;

/** The maximum wait of a token after a refresh that Discord did not process. Tokens are refreshed days before they expire. */
export const maxBackoffMs = 60 * 60_000;

/** The maximum wait after a 429 to a refresh, once the old token has expired. The user can't do anything during the wait. */
export const maxRefreshLimitMs = 10 * 60_000;

/** The time by which a lease outlasts its request, for the store operations before and after the request. */
export const leaseMarginMs = 10_000;

/** The maximum time that a refresh reserves for releasing the lease. */
export const maxLeaseReserveMs = 500;

/** The pause before the first retry to save a refreshed token. Each further pause is twice as long; five pauses take 3.1 seconds. */
export const firstSaveRetryMs = 100;

/**
 * The time after a renewal in which another 401 does not cause a refresh. Discord also responds with 401 when a scope is missing,
 * and each of these responses would cause a refresh.
 */
export const renewalPauseMs = 10 * 60_000;

/** The pause after a failed request for client credentials, while the old token works. */
export const clientCredentialsPauseMs = 60_000;

// A login

/** The time for store operations that a step of a login has beyond the time limit of its request. */
export const storeAllowanceMs = 5000;

/**
 * The time after a logout or a failed login in which a login shows the consent page in any case. Redirects without a page would
 * otherwise turn forever, and a person who has logged out could not choose another account.
 */
export const forcedConsentSeconds = 300;

/** The length of an outage of Discord after which a membership is not valid anymore. It may begin just before the next read. */
export const maxMemberOutageMs = 3_600_000;

/** The maximum time between two reads of a membership during an outage. */
export const memberRetryMs = 60_000;

/** The known lifetime of Discord's codes. */
export const codeLifetimeMs = 100_000;

/** The time that a visitor has to finish a login. */
export const pendingLifetimeMs = 600_000;

/** The maximum time by which the start of a login may be in the future, after a clock has gone back. A code does not live longer. */
export const maxStartAheadMs = 120_000;

/** The time after which a refused code of a visitor is forgotten. After ten refused codes, a visitor may send one code in this time. */
export const refusedCodeMs = 60_000;

/** The time after its end for which a session in a cookie can be renewed without asking the user. */
export const renewalPeriodSeconds = 30 * 86_400;

/** The time for which an empty record replaces a removed token, so that no login under way saves its token. */
export const emptyRecordLifetimeMs = 60_000;

/** The maximum pause before a change is first retried after a concurrent change. It doubles with each retry, and the pause is random. */
export const firstChangeRetryMs = 2;

/** The maximum pause before a change is retried after a concurrent change. */
export const maxChangeRetryMs = 500;

/**
 * The time for which a change is retried, if other requests change the value again and again. 200 changes at once, in a store whose
 * operations take 10 milliseconds, need six seconds.
 */
export const maxChangeMs = 30_000;
