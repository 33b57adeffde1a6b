/**
 * The parts of a login and its callback, which every step gets.
 *
 * @module
 */

import type { ApiClients } from "../sessions/api_clients.ts";
import type { ReportEvent } from "../base/events.ts";
import type { Namespace } from "../site/namespace.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import type { PendingLogins } from "./pending_logins.ts";
import type { PendingLogin } from "../base/pending_login.ts";
import type { ProgressRecord } from "../sessions/login_progress.ts";
import type { Members } from "../sessions/members.ts";
import type { PersonTokens } from "../sessions/person_tokens.ts";
import type { Sessions, Visit } from "../sessions/session_storage.ts";
import type { StoreSessions } from "../sessions/store_sessions.ts";
import type { Sealer } from "../../stores/sealed.ts";
import type { Store } from "../../stores/store.ts";

/** The parts of a login. Every step of the login receives this object. */
export interface LoginParts {
  readonly options: CheckedLoginOptions;
  readonly namespace: Namespace;
  readonly pendingLogins: PendingLogins;
  /** Encrypts the pending logins of apps. */
  readonly appSealer: Sealer;
  /** Encrypts the targets of apps in states. */
  readonly targetSealer: Sealer;
  /** Encrypts the addresses of previews in states, or `null` without the option `relay`. */
  readonly relaySealer: Sealer | null;
  readonly clients: ApiClients;
  readonly sessions: Sessions;
  /** The sessions in the store, or `null` without the option `store`. */
  readonly storeSessions: StoreSessions | null;
  /** The application's store, with a time limit for each operation; `null` without the option `store`. */
  readonly store: Store | null;
  /** The tokens for background jobs, or `null` without the option `backgroundTokens`. */
  readonly personTokens: PersonTokens | null;
  /** The memberships of the option `members`, or `null`. */
  readonly memberships: Members | null;
  /** The maximum time for which a request holds a callback: for the exchange, or for the steps after it. In milliseconds. */
  readonly maxStepMs: number;
  /** Passes events to the application; `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
}

/** A callback of a login that began in this browser or app. */
export interface Callback extends Visit {
  readonly pending: PendingLogin;
  /** The code of the callback, which nothing has checked. */
  readonly code: string;
  /** The record of the login's progress, for callbacks that are opened again. */
  readonly progress: ProgressRecord;
}
