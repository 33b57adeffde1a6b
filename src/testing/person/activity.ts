/**
 * Issues authorization codes like the embedded SDK of Activities.
 *
 * @module
 */

import { readAuthorizeRequest } from "../endpoints/authorize_request.ts";
import { grantRequest } from "../endpoints/consent.ts";
import { findApplication, findUser } from "../world/find.ts";
import { type Fields, optional, string } from "../world/schema.ts";
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

/** Consents to an Activity, and returns the authorization code. The code is not bound to a redirect URI. */
export function authorizeActivity(world: World, consent: FakeActivityConsent): string {
  const { as, clientId, scopes = ["identify"], codeChallenge } = consent;
  const user = findUser(world, as);
  const query = new URLSearchParams({
    client_id: findApplication(world, clientId).id,
    response_type: "code",
    scope: scopes.join(" "),
    ...(codeChallenge !== undefined &&
      { code_challenge: codeChallenge, code_challenge_method: "S256" }),
  });
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
