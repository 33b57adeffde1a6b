/**
 * The state of a session in a page.
 *
 * @module
 */

import type { AnyLogin, Login, PublicSessionOf, SessionUser } from "../login/mod.ts";

/**
 * The state of a session in a page. It is frozen, including the user data. {@link SessionClient.state} lists the values of `status`.
 *
 * @typeParam User The type of the user data, which `publicUser` returns on the server.
 */
export type SessionState<User = SessionUser> =
  | {
    /** The visitor is logged in. */
    readonly status: "logged_in";
    /** The user data. */
    readonly user: Readonly<User>;
    /** The scopes that the user has granted. */
    readonly scopes: readonly string[];
    /** The latest possible end of the session, in milliseconds since the epoch. */
    readonly endsAt: number;
  }
  | {
    /** The server did not respond as expected. The other properties are those of its latest response. */
    readonly status: "unreachable";
    /** The user data of the latest response, or `null`. */
    readonly user: Readonly<User> | null;
    /** The scopes of the latest response, or no scopes. */
    readonly scopes: readonly string[];
    /** The end of the session in the latest response, in milliseconds since the epoch, or `null`. */
    readonly endsAt: number | null;
  }
  | {
    /** `"unknown"` before the first response, and `"logged_out"` without a session. */
    readonly status: "unknown" | "logged_out";
    /** Always `null`. */
    readonly user: null;
    /** Always empty. */
    readonly scopes: readonly string[];
    /** Always `null`. */
    readonly endsAt: null;
  };

/** A login whose pages get the default user data. */
export interface DefaultLogin extends Login {}

/** The type of the user data that the pages of a login get, as in `PublicUserOf<typeof login>`. */
export type PublicUserOf<SomeLogin extends AnyLogin> = PublicSessionOf<SomeLogin>["user"];

/**
 * The type of the state in the pages of a login, as in `SessionStateOf<typeof login>`: a {@link SessionState} with the login's own user
 * data. {@link SessionClient.state} lists the values of `status`.
 */
export type SessionStateOf<SomeLogin extends AnyLogin> = SessionState<PublicUserOf<SomeLogin>>;
