/**
 * The waits of requests to the platform, with the reason for each. A name ends in its unit.
 *
 * @module
 */

/** The wait after a block that states none. A process then sends 20 requests in ten minutes; 10,000 refused ones cause a block. */
export const defaultBlockSeconds = 30;

/** The shortest wait after a block. Some state 0 seconds. */
export const minBlockSeconds = 3;

/** The longest wait after a block. Some end sooner than they state. */
export const maxBlockSeconds = 60;

/** The wait after a 429 that is about the whole application, such as one to a token request, and states none. */
export const defaultApplicationLimitSeconds = 5;

/** The shortest wait after such a 429. Each further one counts toward a ban of the address. */
export const minApplicationLimitSeconds = 1;

/** The longest time without a request after such a 429, even if it states a longer wait. No visitor can log in meanwhile. */
export const maxApplicationPauseMs = 60_000;

/** The wait after any other 429 that states none: the length of the shortest windows. */
export const defaultLimitSeconds = 1;

/** The shortest wait after any other 429. Some state 0 seconds. */
export const minLimitSeconds = 0.25;

/** The longest wait for the limit over all requests. It holds back the requests of all users. */
export const maxGlobalLimitSeconds = 60;

/** The longest wait that is believed. A longer one would close something for good. */
export const maxStatedSeconds = 86_400;

/** The longest wait for the outcome of the request that tries after a pause. Then the next one tries. */
export const maxTrialMs = 60_000;

/** The time between two looks at that outcome. */
export const pausePollMs = 50;

/** The time before its deadline at which a call stops to wait for that outcome. Later, it would look as if it had been sent. */
export const pauseReserveMs = 1000;

/** The time for which a refusal of a token is believed. Refused requests count toward a ban of the address. */
export const refusalLifetimeMs = 300_000;

/** The time between two looks at the request that tries a refused token again. */
export const refusalPollMs = 100;

/** The length of the window of a limit until a response states it. */
export const defaultWindowMs = 1000;

/**
 * The time for which a request without a response takes a place in its window. Later, the platform has counted it or never will. A
 * request may stay without a response for good, as on a Worker that was stopped.
 */
export const maxFlightMs = 2000;

/** The time after a 429 without a stated limit in which one request is sent at a time. */
export const carefulMs = 10_000;

/** The time between two looks at what other clients with the same limit have learned. */
export const limitPollMs = 100;

/** The age up to which signing keys are used. */
export const maxKeyAgeMs = 60 * 60 * 1000;

/** The time between two requests because of unknown keys. Not every forged token may cause a request. */
export const minKeyAgeMs = 30 * 1000;

/** The wait after a failed request for keys that states none. */
export const defaultKeyFailureSeconds = 10;

/** The longest wait after a failed request for keys. No `id_token` can be checked during it. */
export const maxKeyFailureSeconds = 60;

/** The first pause between two looks at another call's request for keys. Each further one is twice as long. */
export const firstKeyPollMs = 20;

/** The shortest pause between two requests of a device login. */
export const minDevicePollMs = 1000;

/** The time that each `slow_down` adds to the pause of a device login (RFC 8628 section 3.5). */
export const slowDownMs = 5000;
