/**
 * Reads the forms of the OAuth endpoints, checks their clients, and creates their responses.
 *
 * @module
 */

import type { Application } from "../world/application.ts";
import { grantAllows, type GrantName } from "../world/scopes.ts";
import type { World } from "../world/world.ts";
import { readCredentials } from "./authentication.ts";
import type { Call } from "./call.ts";
import { readForm } from "./parameters.ts";
import { json } from "./responses.ts";

/**
 * Reads the form in the body.
 *
 * @throws {Response} If the form repeats a parameter.
 */
export function readOAuthForm(call: Call): URLSearchParams {
  const form = readForm(call);
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) {
      throw oauthError("invalid_request", `Repeated "${name}" in request.`);
    }
  }
  return form;
}

/**
 * Authenticates an OAuth client (RFC 6749 section 2.3): with Basic authentication, with the form, or, for a public client, with
 * the client id alone.
 *
 * @throws {Response} If the credentials are wrong, or the client uses both methods at once.
 */
export function requireClient(call: Call, form: URLSearchParams): Application {
  const basic = readBasic(call);
  const id = form.get("client_id");
  const secret = form.get("client_secret");
  if (basic !== null && (secret !== null || (id !== null && id !== basic.id))) {
    throw oauthError("invalid_request", "Multiple client credentials in request.");
  }
  const application = call.world.applications.get(basic?.id ?? id ?? "");
  if (application === undefined || application.secret !== (basic?.secret ?? secret)) {
    throw oauthError("invalid_client", undefined, 401);
  }
  return application;
}

function readBasic(call: Call): { id: string; secret: string } | null {
  const encoded = readCredentials(call.headers, "Basic");
  if (encoded === null) return null;
  try {
    const [id = "", ...rest] = atob(encoded).split(":");
    // Both halves are form-encoded (RFC 6749 section 2.3.1).
    return { id: decodeFormValue(id), secret: decodeFormValue(rest.join(":")) };
  } catch {
    throw oauthError("invalid_client", undefined, 401);
  }
}

function decodeFormValue(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

/**
 * Reads the scopes of a form.
 *
 * @throws {Response} If the form has no scopes, or a scope is not available with this grant.
 */
export function readScopes(
  world: World,
  form: URLSearchParams,
  grant: GrantName,
): readonly string[] {
  const scopes = scopesIn(form);
  if (!areAllowed(world, scopes, grant)) throw invalidScopeError();
  return scopes;
}

/** Returns the scopes of a request, without duplicates. */
export function scopesIn(params: URLSearchParams): readonly string[] {
  return [...new Set((params.get("scope") ?? "").split(" ").filter((scope) => scope !== ""))];
}

/** Returns true if there are scopes, and all of them are known and allowed for this grant. */
export function areAllowed(world: World, scopes: readonly string[], grant: GrantName): boolean {
  return scopes.length > 0 &&
    scopes.every((scope) => world.knownScopes.has(scope) && grantAllows(grant, scope));
}

/** Returns a response that must not be stored (RFC 6749 section 5.1). */
export function oauthJson(body: unknown, status = 200): Response {
  return json(body, status, { "cache-control": "no-store", "pragma": "no-cache" });
}

/** Returns an error of an OAuth endpoint (RFC 6749 section 5.2). */
export function oauthError(error: string, description?: string, status = 400): Response {
  const body = description === undefined ? { error } : { error, error_description: description };
  return oauthJson(body, status);
}

export function invalidGrantError(parameter: string): Response {
  return oauthError("invalid_grant", `Invalid "${parameter}" in request.`);
}

export function invalidScopeError(): Response {
  return oauthError("invalid_scope", invalidScopeDescription);
}

export const invalidScopeDescription = "The requested scope is invalid, unknown, or malformed.";
