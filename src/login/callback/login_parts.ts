/**
 * The parts of a login.
 *
 * @module
 */

import type { Scope } from "../../links/scopes.ts";
import type { ApiClients } from "../sessions/api_clients.ts";
import type { ReportEvent } from "../base/events.ts";
import type { readSubject } from "./id_token_subject.ts";
import type { FinishedLogin } from "../base/method_options.ts";
import type { Namespace } from "../site/namespace.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";
import type { PendingLogins } from "./pending_logins.ts";
import type { PersonTokens } from "../sessions/person_tokens.ts";
import type { Sessions } from "../sessions/session_storage.ts";

/** The parts of a login. Each step of the login gets all of them. */
export interface LoginParts {
  readonly options: CheckedLoginOptions;
  readonly namespace: Namespace;
  readonly pendingLogins: PendingLogins;
  readonly loadClients: () => Promise<ApiClients>;
  readonly loadCallbacks: () => Promise<CallbackSteps>;
  readonly loadSessions: () => Promise<Sessions>;
  /** The tokens for background jobs, or `null` without the option `backgroundTokens`. */
  readonly personTokens: PersonTokens | null;
  /** The option `timeout`, or its default. */
  readonly timeout: number;
  /** The maximum time of one step after the callback, in milliseconds. */
  readonly maxStepMs: number;
  /** Passes events to the application; `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
}

/** The parts of a login, and what a callback loads. */
export interface LoadedParts extends LoginParts {
  readonly clients: ApiClients;
  readonly sessions: Sessions;
  /** Reads the person of the `id_token`; `null` if the login did not ask for `openid`. */
  readonly readSubject: typeof readSubject | null;
}

/** The steps after a callback. */
export interface CallbackSteps {
  /** Finishes the login of a callback, and redirects to the page to return to. */
  respond(request: Request): Promise<Response>;
  /** See {@link Login.finish}. */
  finish(request: Request): Promise<FinishedLogin<Scope>>;
}
