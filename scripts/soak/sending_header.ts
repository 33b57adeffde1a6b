/**
 * The header with which the processes of the application tell that they have read an answer.
 *
 * @module
 */

/** The number of a request for tokens, in the answer of the platform. */
export const sendingHeader = "x-sending";
