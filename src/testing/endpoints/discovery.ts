/**
 * What the platform says about its own endpoints (RFC 8414, OpenID Connect Discovery).
 *
 * @module
 */

import { deviceGrantType } from "./device.ts";
import type { World } from "../world/world.ts";

/** The document at a path; `null` when there is none. */
export function discoveryDocument(
  { origin }: World,
  pathname: string,
): Record<string, unknown> | null {
  // Without a version, as the platform names them.
  const api = `${origin}/api`;
  const common = {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth2/authorize`,
    token_endpoint: `${api}/oauth2/token`,
    jwks_uri: `${api}/oauth2/keys`,
  };
  if (pathname === "/.well-known/openid-configuration") {
    return {
      ...common,
      userinfo_endpoint: `${api}/oauth2/userinfo`,
      response_types_supported: ["code", "token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
  }
  if (pathname === "/.well-known/oauth-authorization-server") {
    return {
      ...common,
      revocation_endpoint: `${api}/oauth2/token/revoke`,
      response_types_supported: ["code", "token"],
      device_authorization_endpoint: `${api}/oauth2/device/authorize`,
      grant_types_supported: [
        "authorization_code",
        "refresh_token",
        "client_credentials",
        deviceGrantType,
      ],
      token_endpoint_auth_methods_supported: clientAuthentication,
      revocation_endpoint_auth_methods_supported: clientAuthentication,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    };
  }
  return null;
}

const clientAuthentication: readonly string[] = [
  "client_secret_basic",
  "client_secret_post",
  "none",
];
