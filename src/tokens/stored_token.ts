/**
 * A token that goes through a store or a cookie.
 *
 * @module
 */

import { hideToken } from "../core/hide_secrets.ts";
import { freeze } from "../resources/reading.ts";
import type { TokenObj } from "../resources/token.ts";
import { hideWebhook } from "../resources/webhook.ts";

/**
 * What is kept of a token. What came beside it with the login is left out: a guild may be megabytes, the secret of a webhook is not
 * needed to refresh, and none of it comes again with the next token.
 */
export function toStoredToken(token: TokenObj): TokenObj {
  return { ...token, guild: null, webhook: null, id_token: null };
}

/** A token that was kept, as JSON gives it back: frozen, and printed without its secrets. */
export function fromStoredToken(token: TokenObj): TokenObj {
  return freeze(hideToken({ ...token, webhook: token.webhook && hideWebhook(token.webhook) }));
}
