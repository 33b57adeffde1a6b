/**
 * A token that goes through a cookie or a store.
 *
 * @module
 */

import { hideToken } from "../hidden.ts";
import { freeze } from "../server/resources/reading.ts";
import type { TokenObj } from "../server/resources/token.ts";
import { hideWebhook } from "../server/resources/webhook.ts";

/** What is kept of a token: not what came beside it, which is large and of no use later. */
export function keptToken(token: TokenObj): TokenObj {
  return { ...token, guild: null, webhook: null, id_token: null };
}

/** A token that was kept, as JSON gives it back: frozen, and printed without its secrets. */
export function restoredToken(token: TokenObj): TokenObj {
  return freeze(hideToken({ ...token, webhook: token.webhook && hideWebhook(token.webhook) }));
}
