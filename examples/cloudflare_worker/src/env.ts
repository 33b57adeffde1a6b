/**
 * The Worker's settings: its secrets and its storage.
 *
 * @module
 */

/** The bindings of `wrangler.jsonc`, and the secrets. */
export interface Env {
  /** The application's client id. */
  readonly DISCORD_CLIENT_ID: string;
  /** The application's client secret. */
  readonly DISCORD_CLIENT_SECRET: string;
  /** Encrypts the login cookies: at least 32 random characters, for example from `openssl rand -base64 32`. */
  readonly COOKIE_KEY: string;
  /** Where sessions are kept. */
  readonly SESSIONS: SessionStore;
  /** Another server with the platform's API, such as the fake platform. @default {Discord} */
  readonly PLATFORM_ORIGIN?: string;
}

/** The part of a KV namespace that is used here; `wrangler types` writes the whole type. */
export interface SessionStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
  delete(key: string): Promise<void>;
}

/**
 * Checks that all settings are there, since a Worker is deployed before its secrets are set.
 *
 * @throws {Error} With the names of the missing settings, for the log.
 */
export function checkEnv(env: Env): void {
  const names = ["DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET", "COOKIE_KEY", "SESSIONS"] as const;
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new Error(`Not set: ${missing.join(", ")}`);
  if (env.COOKIE_KEY.length < 32) throw new Error("COOKIE_KEY has less than 32 characters");
}
