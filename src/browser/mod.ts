/**
 * The page's half of a session: who is logged in, in all tabs. Needs no framework and no package.
 *
 * @module
 */

export { SessionClient } from "./session_client.ts";

export type {
  ActivityLogin,
  AppLogin,
  Enter,
  EnterAppOptions,
  Entered,
  EnteredActivity,
  EnterOptions,
  EnterResult,
} from "./app_login.ts";
export type { SessionClientOptions, SessionTokenStore } from "./options.ts";
export type { DefaultLogin, PublicUserOf, SessionState, SessionStateOf } from "./session_state.ts";
