/**
 * Reports repaired answers to the application.
 *
 * @module
 */

import type { PayloadIssue } from "../core/errors.ts";
import type { ClientOptions, ReportedRequest } from "./options.ts";

/** Creates the function that passes the repairs of an answer to `onUnexpected`. */
export function createReport(
  onUnexpected: ClientOptions["onUnexpected"],
  request: ReportedRequest,
): (issues: readonly PayloadIssue[]) => void {
  return (issues) => {
    // An error of the callback, thrown or rejected, is ignored: it must not cost the answer.
    const call = async () => await onUnexpected?.(issues, request);
    call().catch(() => {});
  };
}
