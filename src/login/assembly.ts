/**
 * Assembles a login: creates its parts from its options. Requests load some parts when they first need them.
 *
 * @module
 */

import { checkApplication } from "../api/check_application.ts";
import { checkOptions } from "../http/options.ts";
import { storeAllowanceMs } from "../http/waits.ts";
import { discord } from "../links/platform.ts";
import type { TokenApi } from "../tokens/token_api.ts";
import { checkSecretStrength } from "./secret_strength.ts";
import { CookieSessions } from "./cookie_sessions.ts";
import { createEventReport } from "./events.ts";
import type { LoginParts } from "./login_parts.ts";
import { Namespace } from "./namespace.ts";
import { type AnyLoginOptions, checkLoginOptions } from "./options.ts";
import { PendingLogins } from "./pending_logins.ts";
import { PersonTokens } from "./person_tokens.ts";

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
  const loadClients = loadedOnce(
    async () => await import("./api_clients.ts"),
    ({ ApiClients }) => new ApiClients(options, report),
  );
  // Refreshing and revoking do not need a redirect URI.
  const loadTokenClient = async () => (await loadClients()).tokenClient(null, scope);
  const api: TokenApi = {
    timeout,
    takesTurns: true,
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
  const parts: LoginParts = {
    options,
    namespace,
    pendingLogins: new PendingLogins(namespace, sealer),
    loadClients,
    loadCallbacks: loadedOnce(
      async () => await import("./callbacks.ts"),
      ({ Callbacks }) => new Callbacks(parts),
    ),
    loadSessions: store && personTokens
      ? loadedOnce(
        async () => await import("./store_sessions.ts"),
        ({ StoreSessions }) =>
          new StoreSessions({
            ...shared,
            store,
            personTokens,
            labelSealer: namespace.createSealer(secret, "labels"),
          }),
      )
      : loadedOnce(
        () => Promise.resolve(null),
        () => new CookieSessions({ ...shared, sealer }),
      ),
    personTokens: backgroundTokens ? personTokens : null,
    timeout,
    maxStepMs: timeout + storeAllowanceMs,
    report,
  };
  return parts;
}

/**
 * Returns a function that loads a module and creates a value from it, once. Keeps the value and not its promise: a request of a Worker
 * can't wait for the promise of another request, and a load that fails is tried again.
 */
function loadedOnce<Module, Value extends object>(
  load: () => Promise<Module>,
  create: (module: Module) => Value,
): () => Promise<Value> {
  let value: Value | undefined;
  return async () => {
    if (value) return value;
    const module = await load();
    // Another request may have created it meanwhile.
    return value ??= create(module);
  };
}
