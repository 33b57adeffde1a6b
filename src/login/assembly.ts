/**
 * Assembles a login: creates its parts from its options.
 *
 * @module
 */

import { forgetModels } from "../api/authorized_http.ts";
import { storeAllowanceMs } from "../http/waits.ts";
import { discord } from "../links/platform.ts";
import type { Store } from "../stores/store.ts";
import { checkSecretStrength } from "./secret_strength.ts";
import { ApiClients } from "./api_clients.ts";
import { CookieSessions } from "./cookie_sessions.ts";
import { createEventReport, type ReportEvent } from "./events.ts";
import { type ProgressRecord, storedProgress } from "./login_progress.ts";
import { Namespace } from "./namespace.ts";
import { type AnyLoginOptions, type CheckedLoginOptions, checkLoginOptions } from "./options.ts";
import { type PendingLogin, PendingLogins } from "./pending_logins.ts";
import { PersonTokens } from "./person_tokens.ts";
import { ProgressMemory } from "./progress_memory.ts";
import type { CreateUser, Sessions } from "./session.ts";
import { StoreSessions } from "./store_sessions.ts";

/** The parts of a login. Each step of the login gets all of them. */
export interface LoginParts {
  readonly options: CheckedLoginOptions;
  readonly namespace: Namespace;
  readonly clients: ApiClients;
  readonly pendingLogins: PendingLogins;
  readonly sessions: Sessions;
  /** The tokens for background jobs, or `null` without the option `backgroundTokens`. */
  readonly personTokens: PersonTokens | null;
  /** Returns the record of a login's progress, for callbacks that are opened again. */
  readonly progressOf: (pending: PendingLogin) => ProgressRecord;
  /** The maximum time of one step after the callback, in milliseconds. */
  readonly maxStepMs: number;
  /** Passes events to the application; `null` without the option `onEvent`. */
  readonly report: ReportEvent | null;
}

/**
 * Creates the parts of a login.
 *
 * @throws {TypeError} If an option is wrong, with its name.
 */
export function assembleLogin(given: AnyLoginOptions): LoginParts {
  const options = checkLoginOptions(given);
  const { clientId, platform, name, scope, secret, store, backgroundTokens } = options;
  const report = createEventReport(options.onEvent);
  const { issuer, apiUrl } = platform ?? discord;
  const namespace = new Namespace(clientId, issuer ?? String(apiUrl), name);
  const sealer = namespace.createSealer(secret, "cookies");
  const clients = new ApiClients(options, report);
  // Refreshing and revoking do not need a redirect URI. This also checks the client id and secret.
  const api = clients.tokenClient(null, scope);
  checkSecretStrength(options);
  const { timeout } = api;
  const createUser: CreateUser = (token, userId) => clients.user(token, userId);
  const shared = { ...options, timeout, namespace, api, createUser, report };
  const personTokens = store
    ? new PersonTokens({
      ...shared,
      store,
      sealer: namespace.createSealer(secret, "tokens"),
      forgetModels: (token) => forgetModels(token.access_token, clients.options()),
      tryToken: (source, userId) => createUser(source, userId).getAuthorization({ fresh: true }),
    })
    : null;
  const labelSealer = namespace.createSealer(secret, "labels");
  const maxStepMs = timeout + storeAllowanceMs;
  return {
    options,
    namespace,
    clients,
    pendingLogins: new PendingLogins(namespace, sealer),
    sessions: store && personTokens
      ? new StoreSessions({ ...shared, store, personTokens, labelSealer })
      : new CookieSessions({ ...shared, sealer }),
    personTokens: backgroundTokens ? personTokens : null,
    progressOf: createProgress(store, timeout, maxStepMs),
    maxStepMs,
    report,
  };
}

/** Keeps the progress of logins in the store, or else in the memory of the process. */
function createProgress(
  store: Store | null,
  timeoutMs: number,
  maxStepMs: number,
): LoginParts["progressOf"] {
  if (store) return (pending) => storedProgress(store, pending, timeoutMs);
  const memory = new ProgressMemory(maxStepMs);
  return (pending) => memory.recordOf(pending);
}
