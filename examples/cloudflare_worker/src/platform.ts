/**
 * The addresses of the platform.
 *
 * @module
 */

import { discord, type TextPlatform } from "@guildpass/sdk";
import type { Env } from "./env.ts";

/** The addresses of Discord, or of the server in `PLATFORM_ORIGIN`. */
export function platformOf({ PLATFORM_ORIGIN: origin }: Env): TextPlatform {
  if (!origin) return discord;
  return {
    authorizeUrl: `${origin}/oauth2/authorize`,
    apiUrl: `${origin}/api/v10`,
    cdnUrl: `${origin}/cdn`,
    issuer: origin,
  };
}
