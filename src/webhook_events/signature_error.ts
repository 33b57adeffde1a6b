/**
 * Creates the errors for refused webhook events.
 *
 * @module
 */

import {
  WebhookSignatureError,
  type WebhookSignatureErrorReason,
} from "../core/signature_errors.ts";

/** Creates the error for a refused webhook event, without content of the request. */
export function signatureError(reason: WebhookSignatureErrorReason): WebhookSignatureError {
  const { found, hint } = causes[reason];
  return new WebhookSignatureError(`The webhook event was refused: ${found}`, { reason, hint });
}

interface Cause {
  readonly found: string;
  readonly hint?: string;
}

const causes: Readonly<Record<WebhookSignatureErrorReason, Cause>> = {
  missing: {
    found: "it has no signature, so the platform did not send it",
    hint: "Check that a proxy forwards the headers X-Signature-Ed25519 and X-Signature-Timestamp",
  },
  wrong: {
    found: "its signature is not the platform's",
    hint:
      "Respond with 401: the platform sends wrong signatures as a test. If every event is refused, check publicKey, and that " +
      "the body arrives unchanged",
  },
  stale: {
    found: "it was signed too long ago, or in the future",
    hint: "Check this machine's clock",
  },
  too_large: { found: "it is longer than any event" },
  incomplete: { found: "it ended early" },
};
