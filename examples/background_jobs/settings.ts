/** The settings, which come from the environment. @module */

import { env } from "node:process";

function read(name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

export const clientId = read("DISCORD_CLIENT_ID");
export const clientSecret = read("DISCORD_CLIENT_SECRET");
export const publicKey = read("DISCORD_PUBLIC_KEY");
/** The public address of the application, followed by `/callback`. */
export const redirectUri = read("DISCORD_REDIRECT_URI");
/** Encrypts what the store keeps. All processes have the same. */
export const secret = read("LOGIN_SECRET");
export const databaseUrl = read("DATABASE_URL");
/** The addresses of the fake platform as JSON. Without them, this is Discord. */
export const platform = env.DISCORD_PLATFORM;
