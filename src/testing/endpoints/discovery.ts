/**
 * Serves the discovery documents of OAuth (RFC 8414) and of OpenID Connect.
 *
 * @module
 */

import type { Call, Routes } from "../http/call.ts";
import { json, preflight, withCors } from "../http/responses.ts";
import type { World } from "../world/world.ts";
import { grantTypes } from "./oauth.ts";

export const discoveryRoutes: Routes = {
  "/.well-known/openid-configuration": /* @__PURE__ */ documentMethods(openIdConfiguration),
  "/.well-known/oauth-authorization-server": /* @__PURE__ */ documentMethods(
    authorizationServerMetadata,
  ),
};

/** Serves a document to pages of every origin. */
function documentMethods(create: (world: World) => Record<string, unknown>) {
  const serve = ({ world }: Call) => withCors(json(create(world)));
  return {
    GET: serve,
    HEAD: (call: Call) => new Response(null, serve(call)),
    OPTIONS: () => withCors(preflight()),
  };
}

function openIdConfiguration(world: World): Record<string, unknown> {
  return {
    ...commonMetadata(world),
    userinfo_endpoint: `${apiUrl(world)}/oauth2/userinfo`,
    response_types_supported: ["code", "token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

function authorizationServerMetadata(world: World): Record<string, unknown> {
  return {
    ...commonMetadata(world),
    revocation_endpoint: `${apiUrl(world)}/oauth2/token/revoke`,
    response_types_supported: ["code", "token"],
    device_authorization_endpoint: `${apiUrl(world)}/oauth2/device/authorize`,
    grant_types_supported: Object.keys(grantTypes),
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

function commonMetadata(world: World): Record<string, unknown> {
  return {
    issuer: world.origin,
    authorization_endpoint: `${world.origin}/oauth2/authorize`,
    token_endpoint: `${apiUrl(world)}/oauth2/token`,
    jwks_uri: `${apiUrl(world)}/oauth2/keys`,
  };
}

/** Returns the base URL of the API without a version, as in the platform's document. */
function apiUrl(world: World): string {
  return `${world.origin}/api`;
}

const clientAuthentication: readonly string[] = [
  "client_secret_basic",
  "client_secret_post",
  "none",
];
