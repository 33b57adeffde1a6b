/**
 * Issues authorization codes like the embedded SDK of Activities.
 *
 * @module
 */

import { readAuthorizeRequest } from "../endpoints/authorize_request.ts";
import { grantRequest } from "../endpoints/consent.ts";
import { findApplication, findUser } from "../world/find.ts";
import { type Fields, listOf, optional, required, string } from "../world/schema.ts";
import type { World } from "../world/world.ts";
import { type FakeTokenRequest, tokenRequestFields } from "./issue_token.ts";

/** The options of {@link FakePlatform.authorizeActivity}. */
export interface FakeActivityConsent extends FakeTokenRequest {
  /**
   * The PKCE challenge.
   * @default {none}
   */
  readonly codeChallenge?: string | undefined;
}

export function activityConsentFields(): Fields<FakeActivityConsent> {
  return { ...tokenRequestFields(), codeChallenge: optional(string) };
}

/** The argument of `commands.authorize` of the Embedded App SDK. */
export interface FakeActivityRequest {
  /** The client id. */
  readonly client_id: string;
  /** The scopes. */
  readonly scope: readonly string[];
  /** The grant. */
  readonly response_type?: "code" | undefined;
  /** The state, which the SDK does not return. */
  readonly state?: string | undefined;
  /** `"none"` shows no page to users who have consented before. */
  readonly prompt?: "none" | undefined;
  /** The PKCE challenge. */
  readonly code_challenge?: string | undefined;
  /** The kind of challenge. Required with a challenge. */
  readonly code_challenge_method?: "S256" | undefined;
}

export function activityRequestFields(): Fields<FakeActivityRequest> {
  return {
    client_id: required(string),
    scope: required(listOf(string)),
    response_type: optional(string),
    state: optional(string),
    prompt: optional(string),
    code_challenge: optional(string),
    code_challenge_method: optional(string),
  };
}

/** Consents to the request of an Activity. The SDK drops everything but the code. */
export function authorizeActivityRequest(
  world: World,
  { scope, ...request }: FakeActivityRequest,
  as: string | undefined,
): { readonly code: string } {
  const query = new URLSearchParams({ response_type: "code", scope: scope.join(" ") });
  for (const [name, value] of Object.entries(request)) {
    if (value !== undefined) query.set(name, value);
  }
  return { code: consentToActivity(world, query, as) };
}

/** Consents to an Activity, and returns the authorization code. The code is not bound to a redirect URI. */
export function authorizeActivity(world: World, consent: FakeActivityConsent): string {
  const { as, clientId, scopes = ["identify"], codeChallenge } = consent;
  const query = new URLSearchParams({
    client_id: findApplication(world, clientId).id,
    response_type: "code",
    scope: scopes.join(" "),
    ...(codeChallenge !== undefined &&
      { code_challenge: codeChallenge, code_challenge_method: "S256" }),
  });
  return consentToActivity(world, query, as);
}

function consentToActivity(world: World, query: URLSearchParams, as: string | undefined): string {
  const user = findUser(world, as);
  const parsed = readAuthorizeRequest(world, query);
  const result = parsed.kind === "request"
    ? grantRequest(world, parsed.request, { user, guildId: null, permissions: null })
    : parsed;
  if (result.kind === "page") throw new TypeError(result.message);
  const { searchParams } = new URL(result.location);
  const code = searchParams.get("code");
  if (code !== null) return code;
  throw new TypeError(`${searchParams.get("error")}: ${searchParams.get("error_description")}`);
}
