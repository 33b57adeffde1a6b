/**
 * A login that a visitor has begun, its purpose, and the protection of its code against theft: PKCE, or the nonce in the `id_token`.
 *
 * @module
 */

import { scopeWithoutPkce, usesPkce } from "../../links/pkce.ts";

/** The data of a pending login, from its start to its callback. */
export interface PendingLogin extends PendingLoginOptions {
  readonly state: string;
  readonly codeVerifier: string;
  /** The nonce of the `id_token`. Empty without the scope `openid`. */
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The data with which a pending login begins. */
export interface PendingLoginOptions {
  /** The page to return to after the login: a path of this site, or a URL of a frontend; `null` if the login named none. */
  readonly returnTo: string | null;
  /** The JSON value of the option `data` of `start`. */
  readonly data: unknown;
  /** The scopes to ask for. */
  readonly scope: readonly string[];
  readonly purpose: Purpose;
  /** True if the person sees no page of Discord, provided that they have consented before. */
  readonly isSilent?: boolean;
  /** The place where a login without a cookie ends: `null` for an Activity. Not set for a login of a browser. */
  readonly target?: string | null;
  /** The bot that an earlier consent added, if this login asks the person once more for additional scopes. */
  readonly bot?: AddedBot;
}

/** A bot that was added to a guild. */
export interface AddedBot {
  readonly guildId: string | null;
  /** The permissions of the bot's role, as a decimal string. */
  readonly permissions: `${bigint}` | null;
}

/**
 * The purpose of a login. `"login"` logs any person in. `"renewal"` renews the session of a person without asking. `"consent"` asks the
 * person of a session for additional scopes.
 */
export type Purpose =
  | { readonly kind: "login" }
  | { readonly kind: "renewal" | "consent"; readonly userId: string };

/** Returns the id of the person whose session a login renews or extends, or `null` for a login of any person. */
export function personOf(purpose: Purpose | null): string | null {
  return purpose === null || purpose.kind === "login" ? null : purpose.userId;
}

/**
 * Throws if a thief could use a stolen code of a login with these scopes. Without PKCE, only the nonce in the `id_token` binds the code to
 * the browser of the login. A login that may end elsewhere needs PKCE: only the verifier keeps others from finishing it.
 *
 * @param needsPkce True with `appPath` or `relay`.
 * @throws {TypeError} If the scopes allow neither PKCE nor an `id_token`.
 */
export function assertProtectedCode(scope: readonly string[], needsPkce: boolean): void {
  if (usesPkce(scope) || !needsPkce && scope.includes("openid")) return;
  throw new TypeError(
    `scope has "${scopeWithoutPkce}", which ` +
      (needsPkce
        ? "can't be used together with appPath or relay: the platform refuses PKCE with it"
        : 'needs "openid" too: the platform refuses PKCE with it, so only the id_token protects against a stolen code'),
  );
}
