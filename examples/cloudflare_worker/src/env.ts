/**
 * What the Worker is told from outside: its secrets and its storage.
 *
 * @module
 */

/** The bindings of `wrangler.jsonc`, and the secrets. */
export interface Env {
  /** The application's client id. */
  readonly DISCORD_CLIENT_ID: string;
  /** The application's client secret. */
  readonly DISCORD_CLIENT_SECRET: string;
  /** What login cookies are sealed with: at least 32 random characters, as `openssl rand -base64 32` makes them. */
  readonly COOKIE_KEY: string;
  /** Where sessions are kept. */
  readonly SESSIONS: SessionStore;
  /** Another server that speaks the platform's API, such as the fake one; Discord when it is not set. */
  readonly PLATFORM_ORIGIN?: string;
}

/** The part of a KV namespace that is used here; `wrangler types` writes the whole. */
export interface SessionStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
  delete(key: string): Promise<void>;
}

/**
 * Checks that nothing is missing, since a Worker is deployed before its secrets are set.
 *
 * @throws {Error} With the name of what is missing, for the log.
 */
export function checkEnv(env: Env): void {
  const names = ["DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET", "COOKIE_KEY", "SESSIONS"] as const;
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new Error(`Not set: ${missing.join(", ")}`);
  if (env.COOKIE_KEY.length < 32) {
    throw new Error("COOKIE_KEY has less than 32 characters");
  }
}
