/**
 * Serves the OAuth endpoints that issue, revoke and describe tokens.
 *
 * @module
 */

import { requireBearer } from "../http/authentication.ts";
import type { Call, Routes } from "../http/call.ts";
import { oauthError, oauthJson, readOAuthForm, requireClient } from "../http/oauth.ts";
import { ownProperty } from "../http/parameters.ts";
import { json } from "../http/responses.ts";
import { endAuthorization, eventKey } from "../webhook_events.ts";
import type { Application } from "../world/application.ts";
import { publicUser } from "../world/payloads/user.ts";
import { includesScope } from "../world/scopes.ts";
import { exchangeDeviceCode } from "./device.ts";
import { exchangeClientCredentials, exchangeCode, exchangeRefreshToken } from "./grants.ts";

export const oauthRoutes: Routes = {
  "/oauth2/token": { POST: issueToken },
  "/oauth2/token/revoke": { POST: revokeToken },
  "/oauth2/@me": { GET: currentAuthorization },
};

/** The handlers of the token endpoint, by `grant_type`. */
export const grantTypes: Readonly<
  Record<
    string,
    (call: Call, application: Application, form: URLSearchParams) => Response | Promise<Response>
  >
> = {
  "authorization_code": exchangeCode,
  "refresh_token": exchangeRefreshToken,
  "client_credentials": exchangeClientCredentials,
  "urn:ietf:params:oauth:grant-type:device_code": exchangeDeviceCode,
};

async function issueToken(call: Call): Promise<Response> {
  const form = readOAuthForm(call);
  const grantType = form.get("grant_type");
  // The platform's own text. It checks the grant type before the credentials, and also responds like this to a JSON body.
  if (grantType === null) {
    throw oauthError("unsupported_grant_type", "Grant type None is not supported");
  }
  const application = requireClient(call, form);
  const exchange = ownProperty(grantTypes, grantType);
  if (exchange === undefined) {
    throw oauthError("unsupported_grant_type", `Grant type ${grantType} is not supported`);
  }
  return await exchange(call, application, form);
}

/** Revokes a token. The response for an unknown token is the same (RFC 7009 section 2.2). */
function revokeToken(call: Call): Response {
  const form = readOAuthForm(call);
  const application = requireClient(call, form);
  const value = form.get("token");
  if (value === null) throw oauthError("invalid_request", 'Missing "token" in request.');
  const hint = form.get("token_type_hint") ?? "access_token";
  if (hint !== "access_token" && hint !== "refresh_token") {
    throw oauthError("unsupported_token_type", `Token type ${hint} is not supported`);
  }
  const grant = call.world.accessTokens.get(value)?.grant ?? call.world.refreshTokens.get(value);
  if (grant !== undefined && grant.application === application) {
    // Only the client's own token ends, since it is not part of a user's authorization.
    if (!grant.consented) grant.revoked = true;
    // The response does not wait for the event, since the event's handler may wait for the response.
    else void endAuthorization(call.world, application, grant.user).catch(() => {});
  }
  return oauthJson({});
}

async function currentAuthorization(call: Call): Promise<Response> {
  const { grant: { application, user, scopes }, expiresAt } = requireBearer(call, null);
  const { id, name, icon, description } = application;
  return json({
    application: {
      id,
      name,
      icon,
      description,
      summary: "",
      type: null,
      bot_public: true,
      bot_require_code_grant: false,
      verify_key: (await eventKey(call.world, application)).publicKey,
      flags: 0,
      flags_new: "0",
    },
    scopes,
    expires: new Date(expiresAt).toISOString().replace("Z", "000+00:00"),
    ...(includesScope(scopes, "identify") ? { user: publicUser(user.payload) } : {}),
  });
}
