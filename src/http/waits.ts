/**
 * Every wait, pause and margin of the library, and every lifetime that it chooses, with the reason for each. A name ends in its unit.
 * The defaults of public options stand beside the options.
 *
 * @module
 */

// A 429, and a block by the edge in front of the platform

/**
 * The wait after a 429 that states none, whatever it is about. Such a response comes from a proxy or from a platform in trouble. Each
 * further one counts toward a ban of the address: 10,000 refused requests in ten minutes.
 */
export const defaultLimitSeconds = 5;

/** The minimum wait after a 429 to a request without the token of a user or bot. It is about the whole application. */
export const minApplicationLimitSeconds = 1;

/** The minimum wait after any other 429. Some state 0 seconds. */
export const minLimitSeconds = 0.25;

/** The maximum wait for the limit over all requests. It holds back the requests of all users. */
export const maxGlobalLimitSeconds = 60;

/** The maximum of a stated wait. A longer one would close something for good. */
export const maxStatedSeconds = 86_400;

/** The maximum addition to a wait, so that clients that wait for the same moment do not all send then. */
export const maxJitterMs = 1000;

/** The maximum pause of token requests after a 429, even if it states a longer wait. No visitor can log in meanwhile. */
export const maxApplicationPauseMs = 60_000;

/** The wait after a block that states none. A process then sends 20 requests in ten minutes; 10,000 refused ones cause a block. */
export const defaultBlockSeconds = 30;

/** The minimum wait after a block. Some state 0 seconds. */
export const minBlockSeconds = 3;

/** The maximum wait after a block. Some end sooner than they state. */
export const maxBlockSeconds = 60;

/** The maximum time of the trial request after a pause. Then the next request tries. */
export const maxTrialMs = 60_000;

/** The time before its deadline at which a call no longer waits for a trial request. Later, it would look as if it had been sent. */
export const pauseReserveMs = 1000;

// The queue of a client

/** The lifetime of a remembered 401. Refused requests count toward a ban of the address. */
export const refusalLifetimeMs = 300_000;

/** The length of the window of a limit until a response states it. */
export const defaultWindowMs = 1000;

/**
 * The time for which a request without a response takes a place in its window. Later, the platform has counted it or never will. A
 * request may stay without a response for good, as on a Worker that was stopped.
 */
export const maxFlightMs = 2000;

/** The time after a 429 without a stated limit in which one request is sent at a time. */
export const oneAtATimeMs = 10_000;

/** The interval at which a queue looks for news of other clients: their limits, and their trial of a refused token. */
export const queuePollMs = 100;

// A request

/** The pause before the first retry: most connections that broke work again at once. */
export const firstRetryMs = 250;

/** The pause before each further retry. It fits twice into the default time limit. */
export const nextRetryMs = 1000;

/** The time beyond the time limit for reading an issued token, which would be lost. */
export const issuedTokenReadMs = 3000;

// One call works, and others wait for it

/** The minimum interval between two looks at a claim of another call. A response in the same data center takes as long. */
export const minClaimPollMs = 5;

/** The maximum interval between two looks at a claim of another call. Between the two, it is a twentieth of the wait so far. */
export const maxClaimPollMs = 50;

/** The interval between two signs of life of a shared read. */
export const readBeatMs = 100;

/** The time without a sign of life after which another call takes a shared read over. A request of a Worker may end without a trace. */
export const maxReadSilenceMs = 500;

/** The first delay between two looks at a record of another process. Each further one is twice as long, and up to twice as long again at random. */
export const firstStorePollMs = 20;

/** The maximum delay between two looks at a record, without its random part. */
export const maxStorePollMs = 400;

// Signing keys

/** The maximum age of signing keys. */
export const maxKeyAgeMs = 60 * 60 * 1000;

/** The time between two requests because of unknown keys. Not every forged token may cause a request. */
export const minKeyAgeMs = 30 * 1000;

/** The wait after a failed request for keys that states none. Such a failure is not a 429, whose error always has a wait. */
export const defaultKeyFailureSeconds = 10;

/** The maximum wait after a failed request for keys. No `id_token` can be verified during it. */
export const maxKeyFailureSeconds = 60;

// The login of a device

/** The minimum pause between two requests of a device login. */
export const minDevicePollMs = 1000;

/** The addition of each `slow_down` to the pause of a device login (RFC 8628 section 3.5). */
export const slowDownMs = 5000;

// Tokens

/** The maximum difference between the clocks of two machines that this library allows for. */
export const clockDifferenceMs = 60_000;

/** The lifetime of a token that came without one: that of Discord's tokens. */
export const defaultTokenLifetimeSeconds = 7 * 86_400;

/** The time for which a token without a refresh token is kept after its end, so that errors name the cause. */
export const keptAfterEndMs = 24 * 60 * 60_000;

/** The first pause after a refresh that the platform did not process. Each further one is twice as long. */
export const firstRefreshPauseMs = 60_000;

/** The maximum pause after a refresh that the platform did not process. Tokens are refreshed days before their end. */
export const maxRefreshPauseMs = 60 * 60_000;

/** The maximum wait after a 429 to a refresh, once the old token has ended. The person can do nothing meanwhile. */
export const maxRefreshLimitMs = 10 * 60_000;

/** The time by which a lease outlasts its request: for the store, before and after it. */
export const leaseMarginMs = 10_000;

/** The maximum time that a refresh leaves for giving the lease back. */
export const maxLeaseReserveMs = 500;

/** The pause before the second try to save a refreshed token. Each further one is twice as long; six tries take about 3 seconds. */
export const firstSaveRetryMs = 100;

/**
 * The time after a renewal in which another 401 is not blamed on the token: the platform also responds with 401 when a scope is missing,
 * and each such response would cost a refresh.
 */
export const renewalPauseMs = 10 * 60_000;

// A login

/** The time for the store that a step of a login has beyond the time limit of its request. */
export const storeAllowanceMs = 5000;

/** The time for which the platform is known to accept a code. */
export const codeLifetimeMs = 100_000;

/** The time in which a person has to finish a login. */
export const pendingLifetimeMs = 600_000;

/** The time for which the progress of a login is kept in memory beyond its lifetime and its waits. A slow request may take it. */
export const progressAllowanceMs = 30_000;

/** The maximum time by which the clock of another server may be ahead: a code does not live longer. */
export const maxStartAheadMs = 120_000;

/** The time for which the old id of a session leads to the new one, for requests on their way. */
export const continuationLifetimeMs = 10 * 60_000;

/** The time after the end of a session in a cookie in which it can be renewed without asking the person. */
export const renewalPeriodSeconds = 30 * 86_400;

/** The time for which an empty record takes the place of a removed token: no login under way saves its token then. */
export const emptyRecordLifetimeMs = 60_000;

/** The first pause between two tries of a change that others make too. Each further one is twice as long, and random up to that. */
export const firstChangeRetryMs = 2;

/** The maximum pause between two tries of a change. */
export const maxChangeRetryMs = 100;
