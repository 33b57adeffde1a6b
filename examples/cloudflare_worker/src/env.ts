/**
 * The Worker's settings, and the login that uses them.
 *
 * @module
 */

import type { Store, TextPlatform } from "@guildpass/sdk";
import { Login, type SessionUser } from "@guildpass/sdk/login";
import { durableObjectStore } from "@guildpass/sdk/stores/durable-object";

/** The bindings of `wrangler.jsonc`, and the secrets. */
export interface Env {
  /** The application's client id. */
  readonly DISCORD_CLIENT_ID: string;
  /** The application's client secret. */
  readonly DISCORD_CLIENT_SECRET: string;
  /** Random text that encrypts the cookies of unfinished logins, for example from `openssl rand -base64 32`. */
  readonly LOGIN_SECRET: string;
  /** The session storage. */
  readonly ENTRIES: DurableObjectNamespace;
  /** Another server with the platform's API, such as the fake platform. @default {discord} */
  readonly PLATFORM?: TextPlatform;
}

type WorkerLogin = Login<"identify" | "guilds", SessionUser, Store>;

let login: WorkerLogin | undefined;

/**
 * Returns the login. It is created at the first request, and kept, since its settings stay the same.
 *
 * @throws {TypeError} If a setting is missing, with its name. That happens, because a Worker is deployed before its secrets
 * are set.
 */
export function getLogin(env: Env): WorkerLogin {
  return login ??= createLogin(env);
}

function createLogin(env: Env): WorkerLogin {
  return new Login({
    clientId: env.DISCORD_CLIENT_ID,
    clientSecret: env.DISCORD_CLIENT_SECRET,
    scope: ["identify", "guilds"],
    secret: env.LOGIN_SECRET,
    store: durableObjectStore(env.ENTRIES),
    platform: env.PLATFORM,
  });
}
