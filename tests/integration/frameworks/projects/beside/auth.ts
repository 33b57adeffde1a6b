/**
 * Better Auth with accounts that have a password, in memory.
 *
 * @module
 */

import { env } from "node:process";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";

export const auth = betterAuth({
  baseURL: `http://localhost:${env.PORT}`,
  secret: env.SESSION_SECRET ?? "",
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
  telemetry: { enabled: false },
});
