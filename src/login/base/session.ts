/**
 * A session as the application sees it.
 *
 * @module
 */

import type { User } from "../../api/user.ts";
import type { Scope, SpelledScope } from "../../links/scopes.ts";
import type { GrantedScopes, TokenObj } from "../../resources/token.ts";
import type { Store } from "../../stores/store.ts";
import type { TokenSource } from "../../tokens/token_source.ts";

/** The user data that a session stores without the option `sessionUser`. */
export interface SessionUser {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name, unique on Discord. */
  readonly username: string;
  /** The user's display name, or `null`. */
  readonly global_name: string | null;
  /** The avatar hash, or `null` for a default avatar. */
  readonly avatar: string | null;
  /** The URL of the avatar. */
  readonly avatar_url: string;
}

/** The membership of a user in a guild of the option `members`. Frozen. */
export interface SessionMember {
  /** The id of the guild, a snowflake. */
  readonly guild_id: string;
  /** The ids of the member's roles, each a snowflake, without `@everyone`. */
  readonly roles: readonly string[];
  /** The member's name in this guild, or `null`. */
  readonly nick: string | null;
  /** The time when the member joined, as an ISO 8601 time, or `null`. */
  readonly joined_at: string | null;
}

/**
 * The session of a user who is logged in. `token`, `api`, `member` and `has` are not enumerable: JSON, a serializer and a copy such as
 * `{ ...session }` leave them out.
 *
 * @example
 * ```ts
 * import type { AnyLogin } from "@guildpass/sdk/login";
 *
 * async function profile(login: AnyLogin, request: Request) {
 *   const session = await login.session(request);
 *   if (!session) return null;
 *   const { user, scopes, endsAt } = session;
 *   const guilds = await session.api?.getUserGuilds() ?? [];
 *   return { name: user.username, scopes, endsAt, guilds };
 * }
 * ```
 *
 * @typeParam StoredUser The type of the stored user data.
 * @typeParam Token The type of the token. By default, the type in any login: a `TokenSource`, a `TokenObj` or `null`.
 * @typeParam Member The type of the membership. It is never `null` with the option `members`.
 */
export interface Session<
  StoredUser = SessionUser,
  Token = SessionToken,
  Member = SessionMember | null,
> {
  /** The user data that `sessionUser` returned at the login, or that `update` saved later. Deeply frozen: change it with `update`. */
  // `Readonly<unknown>` would be `{}`.
  readonly user: Readonly<StoredUser> | (unknown extends StoredUser ? StoredUser : never);
  /**
   * The user's token: a `TokenSource` with the option `store`, a `TokenObj` with `keepToken`, `null` otherwise. After the session has
   * ended, `save` of the `TokenSource` throws a `LoginError` with the reason `"no_session"`.
   */
  readonly token: Token;
  /**
   * A {@link User} that calls Discord's API with the user's token. It is `null` if the `Login` keeps no tokens:
   * set the option `store`, or `keepToken: true`. Responses are cached for `freshFor` seconds, for all sessions with the same token.
   *
   * @example
   * ```ts
   * import type { Session } from "@guildpass/sdk/login";
   *
   * async function guildsOf(session: Session) {
   *   return await session.api?.getUserGuilds() ?? [];
   * }
   * ```
   */
  readonly api: SessionApi<Token>;
  /** The membership of the option `members`, at most `checkedFor` seconds old; `null` without that option. */
  readonly member: Member;
  /** The scopes that the user has granted. */
  readonly scopes: readonly string[];
  /**
   * Returns true if the user has granted a scope, or another scope that includes it. The compiler then accepts the methods of `api` that
   * need the scope. If the scope was checked before, the session has the type `never` where the second check returns false.
   *
   * @example
   * ```ts
   * import type { Session } from "@guildpass/sdk/login";
   *
   * async function guildsOf(session: Session) {
   *   if (!session.has("guilds")) return []; // login.start() can ask
   *   return await session.api?.getUserGuilds();
   * }
   * ```
   *
   * @param scope The scope, such as `guilds`.
   * @throws {TypeError} If the scope is a misspelled known scope. Other unknown scopes return false.
   */
  has<Granted extends Scope>(
    scope: SpelledScope<Granted>,
  ): this is SessionWith<StoredUser, Token, Granted, Member>;
  /** The time of the login, in milliseconds since the epoch. A later consent does not change this time. */
  readonly startedAt: number;
  /** The latest possible end of the session, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** A session in the list of a user's sessions. */
export interface ListedSession {
  /** The id for `endSession`. It grants no access and survives later consents. */
  readonly id: string;
  /** The time of the login, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The latest possible end of the session, in milliseconds since the epoch. An unused session ends earlier, after `idleTimeout`. */
  readonly endsAt: number;
  /** The text that `sessionLabel` returned at the login, or `null`. Also `null` if it was encrypted with a secret that was removed. */
  readonly label: string | null;
  /** True for the session of the argument `request`. */
  readonly isCurrent: boolean;
}

/** The type of a session's token, which depends on the options `store` and `keepToken`. */
export type SessionToken<
  // deno-lint-ignore no-explicit-any -- as for TokenObj
  Requested extends Scope = any,
  SessionStore = Store | null | undefined,
  KeepToken = boolean | null | undefined,
> = SessionStore extends Store ? TokenSource<Requested>
  : KeepToken extends true ? TokenObj<Requested>
  : null;

/** The type of a session's `api`, which depends on the type of the session's token. */
export type SessionApi<Token> = [Token] extends [null] ? NeedsStoreOrKeepToken | null
  : Token extends TokenObj<infer Requested> | TokenSource<infer Requested> ? User<Requested>
  : null;

/**
 * The type that the compiler names if code calls the `api` of a session in a cookie without a token. That `api` is always `null`: set
 * the option `store` or `keepToken` of the `Login`.
 */
export type NeedsStoreOrKeepToken = User<"no token without the option store or keepToken">;

/** The type of a session after `has` has returned true for a scope. A scope in a `string` does not change the type of `api`. */
export type SessionWith<
  StoredUser,
  Token,
  Granted extends Scope,
  Member = SessionMember | null,
> = string extends Granted ? Session<StoredUser, Token, Member> & Required<GrantedScopes<never>>
  : Granted extends Scope
    ? [Token] extends [null] ? Session<StoredUser, Token, Member> & Required<GrantedScopes<Granted>>
    : Token extends TokenObj<infer Requested> | TokenSource<infer Requested> ?
        & Session<
          StoredUser,
          Token extends TokenObj ? TokenObj<Requested | Granted>
            : TokenSource<Requested | Granted>,
          Member
        >
        // A session without this property stays a session where `has` returns false.
        & Required<GrantedScopes<Requested | Granted>>
    :
      & Session<StoredUser, Token, Member>
      & { readonly api: null }
      & Required<GrantedScopes<Granted>>
  : never;
