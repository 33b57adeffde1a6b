/**
 * The Worker's settings, and the login that is made from them.
 *
 * @module
 */

import type { Store, TextPlatform } from "@guildpass/sdk";
import { Login, type SessionUser } from "@guildpass/sdk/login";
import { durableObjectStore, type StoredEntry } from "./store.ts";

/** The bindings of `wrangler.jsonc`, and the secrets. */
export interface Env {
  /** The application's client id. */
  readonly DISCORD_CLIENT_ID: string;
  /** The application's client secret. */
  readonly DISCORD_CLIENT_SECRET: string;
  /** Encrypts the cookies of logins that are not finished: random text, as `openssl rand -base64 32` makes it. */
  readonly SESSION_SECRET: string;
  /** Where sessions are kept. */
  readonly ENTRIES: DurableObjectNamespace<StoredEntry>;
  /** Another server with the platform's API, such as the fake platform. @default {discord} */
  readonly PLATFORM?: TextPlatform;
}

/**
 * Makes the login.
 *
 * @throws {TypeError} When a setting is missing, with its name: a Worker is deployed before its secrets are set.
 */
export function createLogin(env: Env): Login<"identify" | "guilds", SessionUser, Store> {
  return new Login({
    clientId: env.DISCORD_CLIENT_ID,
    clientSecret: env.DISCORD_CLIENT_SECRET,
    scope: ["identify", "guilds"],
    secret: env.SESSION_SECRET,
    store: durableObjectStore(env.ENTRIES),
    platform: env.PLATFORM,
  });
}
