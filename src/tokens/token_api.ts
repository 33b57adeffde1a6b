/**
 * The methods of `PlatformApi` that a `TokenSource` uses.
 *
 * @module
 */

import type { TimedCallOptions } from "../http/options.ts";
import type { RefreshTurn } from "../http/request.ts";
import type { Scope } from "../links/scopes.ts";
import type { TokenObj } from "../resources/token.ts";

/** Options of a refresh. */
export interface RefreshOptions extends TimedCallOptions {
  /** Called when the headers of a success arrive. The refresh token is used up then, and the token is read beyond the time limit. */
  readonly onIssued?: (() => void) | null | undefined;
  /** The turn of this refresh among those of all processes. For {@link TokenSource}. */
  readonly turn?: RefreshTurn | null | undefined;
}

/**
 * The methods of `PlatformApi` that a source uses.
 *
 * @typeParam Granted The scopes of the tokens, for the compiler.
 */
// deno-lint-ignore no-explicit-any -- as for TokenObj
export interface TokenApi<Granted extends Scope = any> {
  /** The time limit of a request, in milliseconds. @default {10_000} */
  readonly timeout?: number | undefined;
  /**
   * True if `refresh` calls `turn.take()` just before it sends the request. A source then takes its lease only for requests that are
   * sent.
   */
  readonly takesTurns?: boolean | undefined;
  /** Not called. Its type names the scopes of the tokens. */
  accessToken?(code: string): Promise<TokenObj<Granted>>;
  /** See {@link PlatformApi.refresh}: rejects with `invalid_grant` if the refresh token will not work again. */
  refresh(token: TokenObj, options?: RefreshOptions | null): Promise<TokenObj>;
  /** See {@link PlatformApi.revoke}. */
  revoke(token: TokenObj): Promise<void>;
}
