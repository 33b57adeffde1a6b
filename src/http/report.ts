/**
 * Tells an application what was repaired in an answer.
 *
 * @module
 */

import type { PayloadIssue } from "../core/errors.ts";
import type { ClientOptions, ReportedRequest } from "./options.ts";

/** Makes the function that passes the repairs in an answer on to `onUnexpected`. */
export function createReport(
  onUnexpected: ClientOptions["onUnexpected"],
  request: ReportedRequest,
): (issues: readonly PayloadIssue[]) => void {
  return (issues) => {
    // An error of the callback, thrown or rejected, is ignored: it must not cost the answer that was read.
    const call = async () => await onUnexpected?.(issues, request);
    call().catch(() => {});
  };
}
