/**
 * The clients that are registered at the OAuth server, for who starts it and for who talks to it.
 *
 * @module
 */

import type { Platform } from "../../mod.ts";

export const redirectUri = "https://app.example/callback";

/** Its secret has what must be form-encoded within Basic credentials (RFC 6749 section 2.3.1). */
export const basicClient = { id: "1001", secret: "s3cret:with/every+kind%of&character=" };
export const formClient = { id: "1002", secret: "s3cret-of-the-form-client" };
export const publicClient = { id: "1003" };

export const paths = { authorize: "/oauth2/authorize", api: "/api", token: "/api/oauth2/token" };

/** The server at an origin, as this library is told about a platform. */
export function platformAt(origin: string): Platform {
  return {
    authorizeUrl: origin + paths.authorize,
    apiUrl: origin + paths.api,
    cdnUrl: `${origin}/cdn`,
  };
}
