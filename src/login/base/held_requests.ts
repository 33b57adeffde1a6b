/**
 * Reports the requests that a limit of the platform delays.
 *
 * @module
 */

import { ApiError, RateLimitError } from "../../core/errors.ts";
import { type HttpRequest, methodOf, shownPathOf, withoutIds } from "../../http/request.ts";
import type { RequestObserver } from "../../http/options.ts";
import type { ReportEvent, RequestHeldEvent } from "./events.ts";

/** Returns an observer that reports when a limit delays a person's requests or makes them fail, or `null` without `onEvent`. */
export function heldRequestObserver(
  report: ReportEvent | null,
  userId: string | null,
): RequestObserver | null {
  return report && createObserver(report, userId);
}

function createObserver(report: ReportEvent, userId: string | null): RequestObserver {
  const reportHeld = (
    request: HttpRequest,
    held: Pick<RequestHeldEvent, "outcome" | "limit" | "milliseconds">,
  ) => {
    const route = `${methodOf(request)} ${withoutIds(shownPathOf(request))}`;
    report({ kind: "request_held", userId, route, ...held });
  };
  return {
    sentLate: (request, limit, waited) =>
      reportHeld(request, { outcome: "sent", limit, milliseconds: Math.ceil(waited) }),
    failed(request, error) {
      const limited = error instanceof RateLimitError ? error : null;
      if (!(error instanceof ApiError) || !(error.blockedByEdge || limited)) return;
      const { blockedByEdge, retryAfter } = error;
      const limit = blockedByEdge ? "edge" : limited?.global ? "global" : "route";
      const milliseconds = Math.ceil(Number(retryAfter) * 1000);
      reportHeld(request, { outcome: "failed", limit, milliseconds });
    },
  };
}
