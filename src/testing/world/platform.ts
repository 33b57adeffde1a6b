/**
 * Names the base URLs of a fake platform.
 *
 * @module
 */

import type { TextPlatform } from "../../links/platform.ts";
import type { World } from "./world.ts";

/** Returns the platform with its base URLs, for the code under test. */
export function platformOf({ origin, cdnUrl }: World): TextPlatform {
  return Object.freeze({
    authorizeUrl: `${origin}/oauth2/authorize`,
    apiUrl: `${origin}/api/v10`,
    cdnUrl,
    issuer: origin,
    // The secrets are made up, so unencrypted connections between containers are fine.
    ...(origin.startsWith("http:") && { allowInsecure: true }),
  });
}
