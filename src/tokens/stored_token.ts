/**
 * Prepares a token for a store or a cookie, and restores it.
 *
 * @module
 */

import { hideToken, hideWebhook } from "../core/hide_secrets.ts";
import { freeze } from "../core/freeze.ts";
import type { TokenObj } from "../resources/token.ts";

/**
 * Returns a token without the parts that come only with a login: a guild may be megabytes, and a refresh does not need the secret of a
 * webhook.
 */
export function toStoredToken(token: TokenObj): TokenObj {
  return { ...token, guild: null, webhook: null, id_token: null };
}

/** Restores a token that was stored as JSON: freezes the token, and hides its secrets in logs. */
export function fromStoredToken(token: TokenObj): TokenObj {
  return freeze(hideToken({ ...token, webhook: token.webhook && hideWebhook(token.webhook) }));
}
