/**
 * Reads the query of an authorization URL, and builds the redirect back to the application.
 *
 * @module
 */

import { areAllowed, invalidScopeDescription, scopesIn } from "../http/oauth.ts";
import type { Application } from "../world/application.ts";
import { isPermissions } from "../world/permissions.ts";
import { defaultRedirectUri, isRegistered } from "../world/redirect_uris.ts";
import { installScopes } from "../world/scopes.ts";
import { isSnowflake } from "../world/snowflake.ts";
import type { World } from "../world/world.ts";

/** A valid authorize request. */
export interface AuthorizeRequest {
  readonly application: Application;
  readonly scopes: readonly string[];
  /** True if the request asks for an access token in the fragment (`response_type=token`). */
  readonly implicit: boolean;
  /** The redirect URI; `null` for an install link, which ends on the platform. */
  readonly redirectUri: string | null;
  /** True if the URL has a `redirect_uri`; false if the application's first registered one is used. */
  readonly redirectUriGiven: boolean;
  readonly state: string | null;
  readonly prompt: string | null;
  readonly challenge: string | null;
  readonly nonce: string | null;
  /** The selected channel of a webhook. */
  readonly channelId: string | null;
  readonly permissions: string;
  readonly guildId: string | null;
  /** True if the user can't choose a guild other than `guildId`. */
  readonly guildFixed: boolean;
  readonly needsGuild: boolean;
}

/** The result of an authorize request. */
export type AuthorizeResult =
  /** The browser is redirected to the application, with a code, a token or an error. */
  | { readonly kind: "redirect"; readonly location: string }
  /**
   * The platform shows a page, since the redirect URI is missing or invalid (RFC 6749 section 4.1.2.1). The message does not end
   * with a full stop.
   */
  | { readonly kind: "page"; readonly message: string };

/** Reads an authorize request. If the request is invalid, the result contains the error. */
export function readAuthorizeRequest(
  world: World,
  query: URLSearchParams,
): { readonly kind: "request"; readonly request: AuthorizeRequest } | AuthorizeResult {
  const clientId = query.get("client_id");
  const application = world.applications.get(clientId ?? "");
  if (application === undefined) return { kind: "page", message: unknownClientMessage(clientId) };
  const isInstallLink = loginParameters.every((name) => !query.has(name));
  const scopes = isInstallLink ? application.installParams.scopes : scopesIn(query);
  const installOnly = isInstallOnly(query, scopes);
  const redirectUri = installOnly ? null : query.get("redirect_uri") ??
    defaultRedirectUri(application.redirectUris);
  if (redirectUri === undefined) {
    const message = "Missing redirect_uri: the application has no registered one to fall back to";
    return { kind: "page", message };
  }
  if (redirectUri !== null && !isRegistered(application.redirectUris, redirectUri)) {
    return { kind: "page", message: unregisteredMessage(redirectUri, application) };
  }
  const guildId = query.get("guild_id");
  const request: AuthorizeRequest = {
    application,
    scopes,
    implicit: query.get("response_type") === "token",
    redirectUri,
    redirectUriGiven: query.has("redirect_uri"),
    state: query.get("state"),
    prompt: query.get("prompt"),
    challenge: query.get("code_challenge"),
    nonce: query.get("nonce"),
    channelId: query.get("channel_id"),
    permissions: query.get("permissions") ??
      (isInstallLink ? application.installParams.permissions : "0"),
    guildId,
    guildFixed: query.get("disable_guild_select") === "true" && guildId !== null,
    needsGuild: requiresGuild(scopes, query.get("integration_type")),
  };
  const error = findError(world, request, query);
  return error === null ? { kind: "request", request } : errorResult(world, request, error);
}

/** Returns true if the user must choose a guild for these scopes. */
function requiresGuild(scopes: readonly string[], integrationType: string | null): boolean {
  return scopes.includes("bot") || scopes.includes("webhook.incoming") ||
    (scopes.includes("applications.commands") && integrationType === "0");
}

/** Redirects to the application. The fields are in the fragment for an implicit grant, and in the query otherwise. */
export function redirectToApplication(
  world: World,
  redirectUri: string,
  { state, implicit }: Pick<AuthorizeRequest, "state" | "implicit">,
  fields: Record<string, string>,
): AuthorizeResult {
  const params = new URLSearchParams({
    ...fields,
    ...(state === null ? {} : { state }),
    // RFC 9207.
    iss: world.origin,
  });
  const url = new URL(redirectUri);
  if (implicit) url.hash = params.toString();
  else for (const [name, value] of params) url.searchParams.append(name, value);
  return { kind: "redirect", location: url.href };
}

/** The parameters of a login. A link without any of them requests the application's default install settings. */
const loginParameters = ["response_type", "scope", "redirect_uri", "integration_type"] as const;

/** Returns true if a link installs the application without a login. */
function isInstallOnly(query: URLSearchParams, scopes: readonly string[]): boolean {
  return !query.has("response_type") && !query.has("redirect_uri") && scopes.length > 0 &&
    scopes.every((scope) => installScopes.includes(scope));
}

function unknownClientMessage(clientId: string | null): string {
  return isSnowflake(clientId)
    ? `Unknown application: no application has the client_id ${clientId}`
    : "Invalid client_id: it must be a snowflake, a decimal number";
}

function unregisteredMessage(redirectUri: string, { redirectUris }: Application): string {
  const registered = redirectUris.join(", ") || "none";
  return `Invalid redirect_uri: ${redirectUri} is not registered for the application. Registered: ${registered}. To use another one, add ` +
    "it to redirectUris of the application: in the option applications of createFakePlatform(), as in applications: [{ " +
    "...sampleApplication, redirectUris: […] }], or in the --config file";
}

/** An error that is sent to the application in the redirect (RFC 6749 section 4.1.2.1). */
interface AuthorizeError {
  readonly error: string;
  readonly description: string;
}

/** Returns the result for an error: a redirect to the application, or a page if the request has no redirect URI. */
export function errorResult(
  world: World,
  request: AuthorizeRequest,
  { error, description }: AuthorizeError,
): AuthorizeResult {
  const { redirectUri } = request;
  return redirectUri === null
    ? { kind: "page", message: `${error}: ${description.replace(/\.$/, "")}` }
    : redirectToApplication(world, redirectUri, request, { error, error_description: description });
}

function findError(
  world: World,
  request: AuthorizeRequest,
  query: URLSearchParams,
): AuthorizeError | null {
  const { scopes, redirectUri, prompt, permissions, guildId, channelId } = request;
  const responseType = query.get("response_type");
  if (redirectUri !== null && responseType !== "code" && responseType !== "token") {
    return {
      error: "unsupported_response_type",
      description: "The authorization server does not support this response type",
    };
  }
  if (!areScopesValid(world, request)) return invalidScope;
  if (prompt !== null && prompt !== "consent" && prompt !== "none") {
    return invalidRequest("prompt must be consent or none");
  }
  const integrationType = query.get("integration_type");
  if (integrationType !== null && integrationType !== "0" && integrationType !== "1") {
    return invalidRequest("integration_type must be 0 or 1");
  }
  if (integrationType === "1" && scopes.includes("bot")) {
    return invalidRequest("integration_type must be 0 for the bot scope, which needs a guild");
  }
  const challengeError = findChallengeError(request, query.get("code_challenge_method"));
  if (challengeError !== null) return challengeError;
  if (!isPermissions(permissions)) return invalidRequest("permissions must be a decimal number");
  if (guildId !== null && !isSnowflake(guildId)) {
    return invalidRequest("guild_id must be a snowflake");
  }
  if (channelId !== null && !isSnowflake(channelId)) {
    return invalidRequest("channel_id must be a snowflake");
  }
  return null;
}

/** Returns true if the scopes are known and available to this client with this grant. */
function areScopesValid(
  world: World,
  { scopes, implicit, application, challenge }: AuthorizeRequest,
): boolean {
  if (!areAllowed(world, scopes, implicit ? "implicit" : "code")) return false;
  // With PKCE or a public client, users could get the token themselves and write their own metadata.
  const needsSecret = scopes.includes("role_connections.write");
  return !needsSecret || application.secret !== null && challenge === null;
}

export const invalidScope: AuthorizeError = {
  error: "invalid_scope",
  description: invalidScopeDescription,
};

/** Checks the PKCE parameters (RFC 7636 section 4.3). */
function findChallengeError(
  { application, challenge, implicit, redirectUri }: AuthorizeRequest,
  method: string | null,
): AuthorizeError | null {
  if (challenge === null) {
    if (method !== null) return invalidRequest("code_challenge required");
    const asksForCode = redirectUri !== null && !implicit;
    return application.secret === null && asksForCode
      ? invalidRequest("code_challenge required, since the application is a public client")
      : null;
  }
  // An absent method means plain.
  if (method !== "S256") return invalidRequest("code_challenge_method must be S256");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return invalidRequest("code_challenge must be 43 base64url characters");
  }
  return null;
}

function invalidRequest(description: string): AuthorizeError {
  return { error: "invalid_request", description };
}
