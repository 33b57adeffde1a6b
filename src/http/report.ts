/**
 * Calls callbacks of the application, for example `onUnexpected` after a repaired response.
 *
 * @module
 */

import type { PayloadIssue } from "../core/errors.ts";
import type { ClientOptions, ReportedRequest } from "./options.ts";

/** Creates the function that passes the issues of a response to `onUnexpected`. */
export function createReport(
  onUnexpected: ClientOptions["onUnexpected"],
  request: ReportedRequest,
): (issues: readonly PayloadIssue[]) => void {
  return (issues) => {
    if (onUnexpected) callSafely(onUnexpected, issues, request);
  };
}

/**
 * Calls a callback of the application, and does not wait for its promise. Errors of the callback, thrown or rejected, are ignored:
 * they must not make the call fail.
 */
export function callSafely<Args extends readonly unknown[]>(
  callback: (...args: Args) => unknown,
  ...args: Args
): void {
  const call = async () => await callback(...args);
  call().catch(() => {});
}
