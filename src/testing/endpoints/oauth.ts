/**
 * The OAuth endpoints below the API's base: tokens, revocation, keys, and who a token belongs to.
 *
 * @module
 */

import type { Call, Routes } from "../http/responses.ts";
import {
  credentials,
  hasType,
  json,
  noStore,
  oauthError,
  Refusal,
  requireBearer,
} from "../http/responses.ts";
import { endAuthorization, eventKeyOf } from "../webhook_events.ts";
import type { Application } from "../world/application.ts";
import { base64url } from "../world/encoding.ts";
import type { Guild } from "../world/guild.ts";
import { wholeGuild } from "../world/guild.ts";
import { newSnowflake } from "../world/snowflake.ts";
import { issueAccessToken, randomToken, tokenPair } from "../world/tokens.ts";
import { visibleUser } from "../world/user.ts";
import type { Code, World } from "../world/world.ts";
import { deviceGrantType, exchangeDeviceCode, startDeviceLogin } from "./device.ts";
import { identityClaims, signIdToken, signingKeys } from "./openid.ts";

export const oauthRoutes: Routes = {
  "/oauth2/token": { POST: token },
  "/oauth2/token/revoke": { POST: revokeToken },
  "/oauth2/device/authorize": { POST: deviceAuthorization },
  "/oauth2/keys": { GET: async (call) => json(await signingKeys(call.world)) },
  "/oauth2/@me": { GET: currentAuthorization },
  "/oauth2/userinfo": { GET: userinfo },
};

async function token(call: Call): Promise<Response> {
  const form = readForm(call);
  const grantType = form.get("grant_type");
  // The very words of the platform, also without credentials, when the body is JSON: people search for them.
  if (grantType === null) {
    return oauthError("unsupported_grant_type", "Grant type None is not supported");
  }
  const application = authenticate(call, form);
  if (grantType === "authorization_code") return await exchangeCode(call, application, form);
  if (grantType === "refresh_token") return refresh(call.world, application, form);
  if (grantType === "client_credentials") return ownToken(call.world, application, form);
  if (grantType === deviceGrantType) {
    return await exchangeDeviceCode(call.world, application, form.get("device_code") ?? "");
  }
  return oauthError("unsupported_grant_type", `Grant type ${grantType} is not supported`);
}

/** RFC 6749 section 4.1.3, and RFC 7636 section 4.6. */
async function exchangeCode(
  call: Call,
  application: Application,
  form: URLSearchParams,
): Promise<Response> {
  const { world } = call;
  const code = world.codes.get(form.get("code") ?? "");
  if (code === undefined || code.grant.application !== application) return invalidGrant("code");
  if (code.used) {
    // One of the two is a thief, and there is no telling which (RFC 6749 section 10.5).
    code.grant.revoked = true;
    return invalidGrant("code");
  }
  if (code.grant.revoked || code.expiresAt <= world.now()) return invalidGrant("code");
  const redirectUri = form.get("redirect_uri");
  if (redirectUri === null ? code.redirectUriGiven : redirectUri !== code.redirectUri) {
    return invalidGrant("redirect_uri");
  }
  const verifier = form.get("code_verifier");
  if (!await isVerifierOf(verifier, code.challenge)) return invalidGrant("code_verifier");
  const scopes = readScopes(form);
  if (scopes !== null && !scopes.every((scope) => code.grant.scopes.includes(scope))) {
    return invalidScope();
  }
  // Another exchange of the same code may have finished while the verifier was hashed.
  if (code.used) return invalidGrant("code");
  code.used = true;
  const tokens = tokenPair(world, code.grant, scopes ?? code.grant.scopes);
  return json({ ...tokens, ...await extras(call, code, tokens.access_token) }, 200, noStore);
}

/** RFC 6749 section 6. */
function refresh(world: World, application: Application, form: URLSearchParams): Response {
  const value = form.get("refresh_token") ?? "";
  const grant = world.refreshTokens.get(value);
  if (grant === undefined || grant.revoked || grant.application !== application) {
    return invalidGrant("refresh_token");
  }
  const scopes = readScopes(form);
  if (scopes !== null && !scopes.every((scope) => grant.scopes.includes(scope))) {
    return invalidScope();
  }
  world.refreshTokens.delete(value);
  return json(tokenPair(world, grant, scopes ?? grant.scopes), 200, noStore);
}

/** RFC 6749 section 4.4: on this platform, a token for the application's owner. */
function ownToken(world: World, application: Application, form: URLSearchParams): Response {
  if (application.secret === null) {
    return oauthError("unauthorized_client", "A public client has no credentials");
  }
  const scopes = readScopes(form);
  if (scopes === null || !scopes.every((scope) => world.knownScopes.has(scope))) {
    return invalidScope();
  }
  const grant = { application, user: application.owner, scopes, consented: false, revoked: false };
  return json(
    {
      access_token: issueAccessToken(world, grant, scopes),
      token_type: "Bearer",
      expires_in: world.tokenLifetime,
      scope: scopes.join(" "),
    },
    200,
    noStore,
  );
}

/** RFC 8628 section 3.1. */
function deviceAuthorization(call: Call): Response {
  const form = readForm(call);
  return startDeviceLogin(call.world, authenticate(call, form), readScopes(form));
}

/** RFC 7009 section 2.2: an unknown token is answered like a revoked one. */
function revokeToken(call: Call): Response {
  const form = readForm(call);
  const application = authenticate(call, form);
  const value = form.get("token");
  if (value === null) return oauthError("invalid_request", 'Missing "token" in request.');
  const grant = call.world.accessTokens.get(value)?.grant ?? call.world.refreshTokens.get(value);
  if (grant !== undefined && grant.application === application) {
    // A token of the application's own ends alone.
    if (!grant.consented) grant.revoked = true;
    // Nobody waits for the event: what takes it may itself wait for this answer.
    else void endAuthorization(call.world, application, grant.user).catch(() => {});
  }
  return json({}, 200, noStore);
}

async function currentAuthorization(call: Call): Promise<Response> {
  const { grant, scopes, expiresAt } = requireBearer(call, null);
  const { id, name, icon, description } = grant.application;
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
      verify_key: (await eventKeyOf(call.world, grant.application)).publicKey,
      flags: 0,
      flags_new: "0",
    },
    scopes,
    expires: new Date(expiresAt).toISOString().replace("Z", "000+00:00"),
    ...(scopes.includes("identify") ? { user: visibleUser(grant.user, scopes) } : {}),
  });
}

function userinfo(call: Call): Response {
  const { grant, scopes } = requireBearer(call, "openid");
  return json(identityClaims(call.world, grant.user, scopes));
}

/** What a code exchange answers beside the tokens. */
async function extras(
  { world, apiVersion }: Call,
  code: Code,
  accessToken: string,
): Promise<Record<string, unknown>> {
  const { grant, guild } = code;
  const { scopes } = grant;
  return {
    ...(guild !== null && scopes.includes("bot")
      ? { guild: wholeGuild(guild, apiVersion, false) }
      : {}),
    ...(guild !== null && scopes.includes("webhook.incoming")
      ? { webhook: createWebhook(world, grant.application, guild) }
      : {}),
    ...(scopes.includes("openid") ? { id_token: await signIdToken(world, code, accessToken) } : {}),
  };
}

function createWebhook(
  world: World,
  application: Application,
  guild: Guild,
): Record<string, unknown> {
  const id = newSnowflake(world);
  const secret = randomToken("webhook");
  return {
    id,
    type: 1,
    guild_id: guild.payload.id,
    channel_id: guild.payload.system_channel_id ?? guild.payload.id,
    name: application.name,
    avatar: application.icon,
    token: secret,
    application_id: application.id,
    url: `${world.origin}/api/webhooks/${id}/${secret}`,
  };
}

/** The form in the body. Any other body counts as an empty form, as on the platform. */
function readForm(call: Call): URLSearchParams {
  const isForm = hasType(call.headers, "application/x-www-form-urlencoded");
  const form = new URLSearchParams(isForm ? call.body : "");
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) {
      throw new Refusal(oauthError("invalid_request", `Repeated "${name}" in request.`));
    }
  }
  return form;
}

/**
 * Client authentication (RFC 6749 section 2.3): Basic, or the form, or none for a public client.
 *
 * @throws {Refusal} When it fails, or when there are two at once.
 */
function authenticate(call: Call, form: URLSearchParams): Application {
  const basic = readBasic(call);
  const id = form.get("client_id");
  const secret = form.get("client_secret");
  if (basic !== null && (secret !== null || (id !== null && id !== basic.id))) {
    throw new Refusal(oauthError("invalid_request", "Multiple client credentials in request."));
  }
  const application = call.world.applications.get(basic?.id ?? id ?? "");
  if (application === undefined || application.secret !== (basic?.secret ?? secret)) {
    throw new Refusal(oauthError("invalid_client", undefined, 401));
  }
  return application;
}

function readBasic(call: Call): { id: string; secret: string } | null {
  const encoded = credentials(call.headers, "Basic");
  if (encoded === null) return null;
  try {
    const [id = "", ...rest] = atob(encoded).split(":");
    // Both halves are form-encoded before they are joined (RFC 6749 section 2.3.1).
    return { id: decodeForm(id), secret: decodeForm(rest.join(":")) };
  } catch {
    throw new Refusal(oauthError("invalid_client", undefined, 401));
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

function readScopes(form: URLSearchParams): string[] | null {
  const scopes = (form.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  return scopes.length === 0 ? null : [...new Set(scopes)];
}

async function isVerifierOf(verifier: string | null, challenge: string | null): Promise<boolean> {
  if (verifier === null || challenge === null) return verifier === challenge;
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest)) === challenge;
}

function invalidGrant(parameter: string): Response {
  return oauthError("invalid_grant", `Invalid "${parameter}" in request.`);
}

function invalidScope(): Response {
  return oauthError(
    "invalid_scope",
    "The requested scope is invalid, unknown, or malformed.",
  );
}
