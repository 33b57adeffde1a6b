/**
 * The clients registered at the OAuth server, for its setup and its tests.
 *
 * @module
 */

import type { Platform } from "../../mod.ts";

export const redirectUri = "https://app.example/callback";

/** A client with a secret that needs form encoding in Basic credentials (RFC 6749 section 2.3.1). */
export const basicClient = { id: "1001", secret: "s3cret:with/every+kind%of&character=" };
export const formClient = { id: "1002", secret: "s3cret-of-the-form-client" };
export const publicClient = { id: "1003" };

export const paths = {
  authorize: "/oauth2/authorize",
  api: "/api",
  token: "/api/oauth2/token",
  keys: "/api/oauth2/keys",
  userinfo: "/api/oauth2/userinfo",
  revoke: "/api/oauth2/token/revoke",
  device: "/api/oauth2/device/authorize",
  activate: "/activate",
};

/** The grant type of a login on a device (RFC 8628 section 3.4). */
export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

/** The OAuth server at an origin, as a platform for this library. */
export function platformAt(origin: string): Platform {
  return {
    authorizeUrl: origin + paths.authorize,
    apiUrl: origin + paths.api,
    cdnUrl: `${origin}/cdn`,
    issuer: origin,
  };
}
