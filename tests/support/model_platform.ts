/**
 * A platform with nothing but single-use refresh tokens, which is told how each refresh goes, in virtual time.
 *
 * @module
 */

import { NetworkError, OAuthError, type TokenApi, type TokenObj } from "../../mod.ts";

/** How a refresh goes. The wait is in milliseconds, and comes before the outcome. */
export interface Refresh {
  /**
   * - `"works"`: in time;
   * - `"never arrives"`: the request is lost on its way to the platform;
   * - `"answer is lost"`: the platform has done it, and its answer is cut;
   * - `"never ends"`: the same, and nobody is told, as in a process that has ended.
   *
   * An error is what the platform answers without having done it.
   */
  readonly outcome: "works" | "never arrives" | "answer is lost" | "never ends" | Error;
  readonly wait?: number;
}

/** How long an access token works, in milliseconds. */
export const lifetime = 3600_000;

/** The application's time limit for one request, in milliseconds. */
export const timeLimit = 10_000;

/** A platform for one person. */
export class ModelPlatform implements TokenApi {
  /** When each access token ends, in milliseconds since the epoch. */
  readonly #ends = new Map<string, number>();
  #issued = 0;
  /** The only refresh token that works. */
  #current: string | null = null;
  /** How the next refreshes go; they work when there are no more. */
  readonly plan: Refresh[] = [];
  /** The refresh tokens that were sent. */
  readonly sent: string[] = [];
  /** The access tokens that were revoked by the application. */
  readonly revoked: string[] = [];

  /** A login, or a refresh. */
  issue(changes: Partial<TokenObj> = {}): TokenObj {
    const number = ++this.#issued;
    this.#current = `refresh${number}`;
    this.#ends.set(`access${number}`, Date.now() + lifetime);
    return Object.freeze({
      access_token: `access${number}`,
      refresh_token: this.#current,
      token_type: "Bearer",
      expires_in: lifetime / 1000,
      expires_at: Date.now() + lifetime,
      scope: "identify",
      scopes: Object.freeze(["identify"]),
      guild: null,
      webhook: null,
      id_token: null,
      ...changes,
    });
  }

  /** Whether an access token works now. */
  works(accessToken: string): boolean {
    return (this.#ends.get(accessToken) ?? 0) > Date.now();
  }

  /** The person removes the application: no token works any more. */
  removeApplication(): void {
    this.#ends.clear();
    this.#current = null;
  }

  async refresh(token: TokenObj): Promise<TokenObj> {
    const { outcome, wait = 100 } = this.plan.shift() ?? { outcome: "works" };
    this.sent.push(String(token.refresh_token));
    await pause(wait);
    if (outcome instanceof Error) throw outcome;
    if (outcome === "never arrives") throw new NetworkError("not answered");
    const isCurrent = token.refresh_token === this.#current;
    const fresh = isCurrent ? this.issue() : null;
    if (outcome === "answer is lost") throw new NetworkError("answered in part only");
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
