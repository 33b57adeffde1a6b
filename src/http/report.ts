/**
 * Reports to functions of the application, such as repaired responses to `onUnexpected`.
 *
 * @module
 */

import type { PayloadIssue } from "../core/errors.ts";
import type { ClientOptions, ReportedRequest } from "./options.ts";

/** Creates the function that passes the repairs of a response to `onUnexpected`. */
export function createReport(
  onUnexpected: ClientOptions["onUnexpected"],
  request: ReportedRequest,
): (issues: readonly PayloadIssue[]) => void {
  return (issues) => {
    if (onUnexpected) callSafely(onUnexpected, issues, request);
  };
}

/**
 * Calls a function of the application that only learns something, and does not wait for its promise. An error, thrown or rejected, is
 * ignored: it must not cost the response.
 */
export function callSafely<Args extends readonly unknown[]>(
  callback: (...args: Args) => unknown,
  ...args: Args
): void {
  const call = async () => await callback(...args);
  call().catch(() => {});
}
