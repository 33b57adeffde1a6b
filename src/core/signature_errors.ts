/**
 * The errors about a signature: of an `id_token`, and of a webhook event.
 *
 * @module
 */

import { GuildpassError, type GuildpassErrorOptions } from "./errors.ts";

/**
 * The reason of an {@link IdTokenError}:
 *
 * - `"missing"`: the `id_token` is missing;
 * - `"malformed"`: the token is not a signed JWT;
 * - `"algorithm"`: the token is not signed with RS256;
 * - `"unknown_key"`: the signing key is not a key of Discord;
 * - `"signature"`: the signature is wrong;
 * - `"claim"`: a claim is wrong or missing.
 */
export type IdTokenErrorReason =
  | "missing"
  | "malformed"
  | "algorithm"
  | "unknown_key"
  | "signature"
  | "claim";

/** An `id_token` is missing or forged, has expired, or is not for this application or login. The error never shows the token. */
export class IdTokenError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "IdTokenError";
  /** The code of the error, for a `switch`. */
  declare readonly code: "invalid_id_token";
  /** The reason. */
  readonly reason: IdTokenErrorReason;
  /** The wrong claim, for example `nonce`, or `null` if the whole token is wrong. */
  readonly claim: string | null;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The reason, the wrong claim if there is one, and the hint.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & {
      readonly reason: IdTokenErrorReason;
      readonly claim?: string | null | undefined;
    },
  ) {
    super(message, { ...options, code: "invalid_id_token" });
    this.reason = options.reason;
    this.claim = options.claim ?? null;
  }
}

/**
 * The reason of a {@link WebhookSignatureError}:
 *
 * - `"missing"`: the request has no signature or no timestamp;
 * - `"wrong"`: the signature does not match;
 * - `"stale"`: the event was signed too long ago, or in the future;
 * - `"too_large"`: the body is too large for an event;
 * - `"incomplete"`: the body ended early.
 */
export type WebhookSignatureErrorReason =
  | "missing"
  | "wrong"
  | "stale"
  | "too_large"
  | "incomplete";

/**
 * A webhook event has no valid signature, or is too old, too large or incomplete. Respond with 401: Discord sends wrong
 * signatures as a test.
 */
export class WebhookSignatureError extends GuildpassError {
  /** The name of the class. */
  protected static override readonly errorName: string = "WebhookSignatureError";
  /** The code of the error, for a `switch`. */
  declare readonly code: "invalid_signature";
  /** The reason. */
  readonly reason: WebhookSignatureErrorReason;

  /**
   * Creates an error.
   *
   * @param message The message.
   * @param options The reason and the hint.
   */
  constructor(
    message: string,
    options: GuildpassErrorOptions & { readonly reason: WebhookSignatureErrorReason },
  ) {
    super(message, { ...options, code: "invalid_signature" });
    this.reason = options.reason;
  }
}
