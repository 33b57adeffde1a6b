/**
 * Where the platform is.
 *
 * @module
 */

import { discord, type Platform } from "@guildpass/sdk";
import type { Env } from "./env.ts";

/** Discord, or the server that `PLATFORM_ORIGIN` names. */
export function platformOf({ PLATFORM_ORIGIN: origin }: Env): Platform {
  if (!origin) return discord;
  return {
    authorizeUrl: `${origin}/oauth2/authorize`,
    apiUrl: `${origin}/api/v10`,
    cdnUrl: `${origin}/cdn`,
  };
}
