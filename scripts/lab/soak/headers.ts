/**
 * The headers with which the parts of the soak tell each other about a request.
 *
 * @module
 */

/** The number of a request for tokens, in the answer of the platform. */
export const sendingHeader = "x-sending";

/** Tells that a command of the store has failed while a process answered. */
export const storeFailedHeader = "x-store-failed";
