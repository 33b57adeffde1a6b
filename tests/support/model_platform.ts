/**
 * A platform in virtual time that only refreshes and revokes tokens. A test plans the outcome of each refresh.
 *
 * @module
 */

import { NetworkError, OAuthError, type TokenApi, type TokenObj } from "../../mod.ts";

/** The plan for one refresh. */
export interface Refresh {
  /**
   * - `"works"`: the platform refreshes the token and responds;
   * - `"never arrives"`: the request is lost on its way to the platform;
   * - `"response is lost"`: the platform refreshes the token, and its response is lost;
   * - `"never ends"`: the platform refreshes the token, and the call never settles, as in a process that has ended;
   * - an error: the platform refuses, and the call throws it.
   */
  readonly outcome: "works" | "never arrives" | "response is lost" | "never ends" | Error;
  /** The milliseconds before the outcome. @default {100} */
  readonly wait?: number;
}

/** The lifetime of an access token. */
export const tokenLifetimeMs = 3600_000;

/** The application's time limit for one request. */
export const timeLimitMs = 10_000;

/** A platform with one user. */
export class ModelPlatform implements TokenApi {
  /** The end of each access token, in milliseconds since the epoch. */
  readonly #ends = new Map<string, number>();
  #issued = 0;
  /** The only valid refresh token. */
  #current: string | null = null;
  /** The plans for the next refreshes. Later ones work. */
  readonly plan: Refresh[] = [];
  /** The refresh tokens sent by the application. */
  readonly sent: string[] = [];
  /** The access tokens revoked by the application. */
  readonly revoked: string[] = [];

  /** Issues tokens, for a login or a refresh. */
  issue(changes: Partial<TokenObj> = {}): TokenObj {
    const number = ++this.#issued;
    this.#current = `refresh${number}`;
    this.#ends.set(`access${number}`, Date.now() + tokenLifetimeMs);
    return Object.freeze({
      access_token: `access${number}`,
      refresh_token: this.#current,
      token_type: "Bearer",
      expires_in: tokenLifetimeMs / 1000,
      expires_at: Date.now() + tokenLifetimeMs,
      scope: "identify",
      scopes: Object.freeze(["identify"]),
      guild: null,
      webhook: null,
      id_token: null,
      ...changes,
    });
  }

  /** Returns true if an access token is valid now. */
  works(accessToken: string): boolean {
    return (this.#ends.get(accessToken) ?? 0) > Date.now();
  }

  /** Ends all tokens, as after the removal of the application by the user. */
  removeApplication(): void {
    this.#ends.clear();
    this.#current = null;
  }

  async refresh(token: TokenObj): Promise<TokenObj> {
    const { outcome, wait = 100 } = this.plan.shift() ?? { outcome: "works" };
    this.sent.push(String(token.refresh_token));
    await pause(wait);
    if (outcome instanceof Error) throw outcome;
    if (outcome === "never arrives") throw new NetworkError("no response");
    const isCurrent = token.refresh_token === this.#current;
    const fresh = isCurrent ? this.issue() : null;
    if (outcome === "response is lost") throw new NetworkError("incomplete response");
    if (outcome === "never ends") return await new Promise(() => {});
    if (!fresh) throw new OAuthError("invalid_grant", { httpStatus: 400 });
    return fresh;
  }

  async revoke(token: TokenObj): Promise<void> {
    await pause(100);
    this.revoked.push(token.access_token);
    this.removeApplication();
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
