/**
 * Assembles a login: creates its parts from its options. Requests load some parts when they first need them.
 *
 * @module
 */

import { checkApplication } from "../api/check_application.ts";
import { checkOptions } from "../http/options.ts";
import { storeAllowanceMs } from "../http/waits.ts";
import { discord } from "../links/platform.ts";
import { type PacedTokenApi, takeRefreshSlot } from "../tokens/token_api.ts";
import type { ApiClients } from "./sessions/api_clients.ts";
import { checkSecretStrength } from "./site/secret_strength.ts";
import { CookieSessions } from "./sessions/cookie_sessions.ts";
import { createEventReport, reportLoginFailure } from "./base/events.ts";
import type { CallbackSteps, LoginParts } from "./callback/login_parts.ts";
import { Namespace } from "./site/namespace.ts";
import type { AnyLoginOptions } from "./base/options.ts";
import { checkLoginOptions } from "./site/checked_options.ts";
import { PendingLogins } from "./callback/pending_logins.ts";
import { PersonTokens } from "./sessions/person_tokens.ts";
import type { Sessions } from "./sessions/session_storage.ts";

/**
 * Creates the parts of a login.
 *
 * @throws {TypeError} If an option is wrong, with its name.
 */
export function assembleLogin(given: AnyLoginOptions): LoginParts {
  const options = checkLoginOptions(given);
  const { clientId, clientSecret, platform, name, scope, secret, store, backgroundTokens } =
    options;
  const report = createEventReport(options.onEvent);
  const { issuer, apiUrl } = platform ?? discord;
  const namespace = new Namespace(clientId, issuer ?? String(apiUrl), name);
  const sealer = namespace.createSealer(secret, "cookies");
  checkApplication(clientId, clientSecret, scope);
  const { timeout } = checkOptions(options);
  checkSecretStrength(options);
  // Values are kept, and not their promises: a request of a Worker can't wait for the promise of another request, and a load that has failed
  // is tried again. Another request may have created the value during the load.
  let clients: ApiClients | null = null;
  const loadClients = async () => {
    const { ApiClients } = await import("./sessions/api_clients.ts");
    return clients ??= new ApiClients(options, report);
  };
  // Refreshing and revoking do not need a redirect URI.
  const loadTokenClient = async () => (await loadClients()).tokenClient(null, scope);
  const api: PacedTokenApi = {
    timeout,
    [takeRefreshSlot]: async (token, latest) =>
      await (await loadTokenClient())[takeRefreshSlot](token, latest),
    refresh: async (token, options) => await (await loadTokenClient()).refresh(token, options),
    revoke: async (token) => await (await loadTokenClient()).revoke(token),
  };
  const shared = { ...options, timeout, namespace, api, report };
  const personTokens = store
    ? new PersonTokens({
      ...shared,
      store,
      sealer: namespace.createSealer(secret, "tokens"),
      forgetModels: async (token) => (await loadClients()).forgetModels(token),
      tryToken: async (source, userId) =>
        await (await loadClients()).user(source, userId).getAuthorization({ fresh: true }),
    })
    : null;
  let callbacks: CallbackSteps | null = null;
  const loadCallbacks = async () => {
    try {
      const { Callbacks } = await import("./callback/callbacks.ts");
      return callbacks ??= new Callbacks(parts);
    } catch (error) {
      reportLoginFailure(report, error);
      throw error;
    }
  };
  let sessions: Sessions | null = null;
  const loadSessions = async () => {
    if (sessions) return sessions;
    if (!store || !personTokens) return sessions = new CookieSessions({ ...shared, sealer });
    const { StoreSessions } = await import("./sessions/store_sessions.ts");
    const labelSealer = namespace.createSealer(secret, "labels");
    return sessions ??= new StoreSessions({ ...shared, store, personTokens, labelSealer });
  };
  const parts: LoginParts = {
    options,
    namespace,
    pendingLogins: new PendingLogins(namespace, sealer),
    loadClients,
    loadCallbacks,
    loadSessions,
    personTokens: backgroundTokens ? personTokens : null,
    timeout,
    maxStepMs: timeout + storeAllowanceMs,
    report,
  };
  return parts;
}
