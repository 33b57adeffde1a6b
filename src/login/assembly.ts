/**
 * Assembles a login: creates its parts from its options.
 *
 * @module
 */

import { storeAllowanceMs } from "../http/waits.ts";
import { generateState } from "../links/pkce.ts";
import { discord } from "../links/platform.ts";
import { checkSecrets } from "../stores/sealed.ts";
import { withTimeLimit } from "../stores/with_time_limit.ts";
import { ApiClients } from "./sessions/api_clients.ts";
import { checkSecretStrength } from "./site/secret_strength.ts";
import { CookieSessions } from "./sessions/cookie_sessions.ts";
import { createEventReport } from "./base/events.ts";
import type { LoginParts } from "./callback/login_parts.ts";
import { Namespace } from "./site/namespace.ts";
import type { AnyLoginOptions } from "./base/options.ts";
import { checkLoginOptions } from "./site/checked_options.ts";
import { noteServedPaths } from "./routes.ts";
import { stateFor } from "./callback/elsewhere.ts";
import { PendingLogins } from "./callback/pending_logins.ts";
import { Members } from "./sessions/members.ts";
import { PersonTokens } from "./sessions/person_tokens.ts";
import { StoreSessions } from "./sessions/store_sessions.ts";

/**
 * Creates the parts of a login.
 *
 * @throws {TypeError} If an option is wrong, with its name.
 */
export function assembleLogin(given: AnyLoginOptions): LoginParts {
  const options = checkLoginOptions(given);
  const { clientId, platform, name, backgroundTokens, relay, callbackPath } = options;
  noteServedPaths(options);
  const report = createEventReport(options.onEvent);
  const clients = new ApiClients(options, report);
  const api = clients.tokens;
  const { timeout } = api;
  const store = options.store && withTimeLimit(options.store, timeout);
  const { issuer, apiUrl } = platform ?? discord;
  const namespace = new Namespace(clientId, issuer ?? String(apiUrl), name);
  const secret = checkSecrets("secret", options.secret);
  checkSecretStrength(options);
  const sealer = namespace.createSealer(secret, "cookies");
  const shared = { ...options, timeout, namespace, clients, api, report };
  const tokenSealer = namespace.createSealer(secret, "tokens");
  const personTokens = store && new PersonTokens({ ...shared, store, sealer: tokenSealer });
  const labelSealer = namespace.createSealer(secret, "labels");
  const memberships = options.members && store && new Members({
    ...shared,
    rules: options.members,
    store,
    sealer: namespace.createSealer(secret, "memberships"),
  });
  const storeSessions = store && personTokens &&
    new StoreSessions({ ...shared, store, personTokens, labelSealer, memberships });
  const relaySealer = relay && namespace.createSealer(relay.secret, "relay");
  const createState = relay && relaySealer && !relay.isMain
    ? () => stateFor(relaySealer, relay.origin + callbackPath)
    : generateState;
  return {
    options,
    namespace,
    pendingLogins: new PendingLogins(namespace, sealer, createState),
    appSealer: namespace.createSealer(secret, "app login"),
    targetSealer: namespace.createSealer(secret, "login target"),
    relaySealer,
    clients,
    sessions: storeSessions ?? new CookieSessions({ ...shared, sealer }),
    storeSessions,
    store,
    memberships,
    personTokens: backgroundTokens ? personTokens : null,
    maxStepMs: timeout + storeAllowanceMs,
    report,
  };
}
