/**
 * Tells an application what was repaired in an answer.
 *
 * @module
 */

import type { ClientOptions, ReportedRequest } from "./http/options.ts";
import type { Report } from "./resources/reading.ts";

/** Makes what hands the repairs in an answer to `onUnexpected`. */
export function createReport(
  onUnexpected: ClientOptions["onUnexpected"],
  request: ReportedRequest,
): Report {
  return (issues) => {
    // Of a callback's error, thrown or rejected, nobody could make use here; and it must not cost the answer.
    const call = async () => await onUnexpected?.(issues, request);
    call().catch(() => {});
  };
}
