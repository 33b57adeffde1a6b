/**
 * The methods of `PlatformApi` that a `TokenSource` uses.
 *
 * @module
 */

import type { Claim } from "../http/limits/claim.ts";
import type { TimedCallOptions } from "../http/options.ts";
import type { Scope } from "../links/scopes.ts";
import type { TokenObj } from "../resources/token.ts";

/** Options of a refresh. */
export interface RefreshOptions extends TimedCallOptions {
  /**
   * Called when the headers of a successful response arrive. The refresh token is used up by then, so the new token is read even after
   * the time limit.
   */
  readonly onIssued?: (() => void) | null | undefined;
}

/**
 * The methods of `PlatformApi` that a source uses.
 *
 * @typeParam Granted The scopes of the tokens. Used only in types.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export interface TokenApi<Granted extends Scope = any> {
  /** The time limit of a request, in milliseconds. @default {10_000} */
  readonly timeout?: number | undefined;
  /** Never called. Its type has the scopes of the tokens. */
  accessToken?(code: string): Promise<TokenObj<Granted>>;
  /** Returns new tokens. Rejects with `invalid_grant` if the refresh token will not work again. See {@link PlatformApi.refresh}. */
  refresh(token: TokenObj, options?: RefreshOptions | null): Promise<TokenObj>;
  /** Revokes the token. See {@link PlatformApi.revoke}. */
  revoke(token: TokenObj): Promise<void>;
}

/** The key of {@link PacedTokenApi}'s method. It is a symbol, because applications that implement a `TokenApi` do not have this method. */
export const takeRefreshSlot: unique symbol = /* @__PURE__ */ Symbol("takeRefreshSlot");

/** The methods of an API that knows the pace of its refreshes. */
export interface PacedTokenApi extends TokenApi {
  /**
   * Takes a slot for a refresh before its lease is taken, so that nothing is written for a refresh that is not sent.
   *
   * @param latest The time until which the refresh can wait, as of `performance.now()`.
   * @returns The slot, to be released; `null` if another refresh of the same token has a slot in this process.
   * @throws The errors of a refresh that is not sent.
   */
  [takeRefreshSlot]?(token: TokenObj, latest: number): Promise<Claim | null>;
}
