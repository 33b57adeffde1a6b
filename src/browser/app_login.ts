/**
 * The types of `SessionClient.enter`: a login without a page of the site.
 *
 * @module
 */

import type { PublicSession, SessionUser } from "../login/mod.ts";

/** Options of {@link SessionClient.enter} in an Activity. */
export interface EnterOptions {
  /** Scopes to request in addition to those of the `Login` and of the session. @default {none} */
  readonly scope?: readonly string[] | undefined;
}

/** Options of {@link SessionClient.enter} in an app or extension. */
export interface EnterAppOptions extends EnterOptions {
  /** The address that gets the code: one of the `appTargets` of the `Login`. A loopback address may have a port. */
  readonly target: string;
}

/** The started login of an Activity, as passed to the function of `enter`. */
export interface ActivityLogin {
  /** The argument of `commands.authorize` of the Embedded App SDK. */
  readonly authorize: {
    readonly client_id: string;
    readonly response_type: "code";
    /** The scopes. The type is compatible with the SDK's list of scopes. */
    readonly scope: never[];
    readonly state: string;
    readonly code_challenge: string;
    readonly code_challenge_method: "S256";
  };
}

/** The started login of an app or extension, as passed to the function of `enter`. */
export interface AppLogin {
  /** The URL of the consent page, to open in the system's browser. */
  readonly url: string;
  /** The state, which the target also receives. */
  readonly state: string;
}

/** The code of an Activity, or the parameters that an app's target received. Other properties are ignored. */
export interface EnterResult {
  /** The code. If the user declined, there is no code: throw an error instead. */
  readonly code: string;
  /** The state. Required for an app. */
  readonly state?: string | undefined;
}

/**
 * The login of an app or extension.
 *
 * @typeParam User The type of the user data.
 */
export interface Entered<User = SessionUser> {
  /** The session, as at the `sessionPath`. */
  readonly session: PublicSession<User>;
}

/**
 * The login of an Activity.
 *
 * @typeParam User The type of the user data.
 */
export interface EnteredActivity<User = SessionUser> extends Entered<User> {
  /** The access token of the user, for `commands.authenticate` of the Embedded App SDK. */
  readonly accessToken: string;
}

/**
 * The type of {@link SessionClient.enter}: without a target in an Activity, and with one in an app or extension.
 *
 * @typeParam User The type of the user data.
 */
export interface Enter<User = SessionUser> {
  (
    authorize: (login: ActivityLogin) => EnterResult | Promise<EnterResult>,
    options?: EnterOptions & { readonly target?: undefined },
  ): Promise<EnteredActivity<User>>;
  (
    authorize: (login: AppLogin) => EnterResult | Promise<EnterResult>,
    options: EnterAppOptions,
  ): Promise<Entered<User>>;
}
