/**
 * Issues tokens for the grants of the token endpoint: authorization code, refresh token and client credentials.
 *
 * @module
 */

import { toBase64Url } from "../../core/base64url.ts";
import type { Call } from "../http/call.ts";
import {
  invalidGrantError,
  invalidScopeError,
  oauthError,
  oauthJson,
  readScopes,
} from "../http/oauth.ts";
import type { Application } from "../world/application.ts";
import { sha256 } from "../world/encoding.ts";
import { channelObjects, type Guild, guildObject } from "../world/guild.ts";
import { teamScopes } from "../world/scopes.ts";
import { newSnowflake } from "../world/snowflake.ts";
import { issueAccessToken, issueTokens, newGrant, randomToken } from "../world/tokens.ts";
import type { AuthorizationCode, World } from "../world/world.ts";
import { signIdToken } from "./openid.ts";

/** Exchanges an authorization code (RFC 6749 section 4.1.3, RFC 7636 section 4.6). */
export async function exchangeCode(
  call: Call,
  application: Application,
  form: URLSearchParams,
): Promise<Response> {
  const { world } = call;
  const code = requireCode(world, application, form.get("code") ?? "");
  const redirectUri = form.get("redirect_uri");
  // The code of an Activity is not bound to a redirect URI.
  if (redirectUri !== null && !code.redirectUriWasSent) throw invalidGrantError("code");
  if (redirectUri === null ? code.redirectUriWasSent : redirectUri !== code.redirectUri) {
    throw invalidGrantError("redirect_uri");
  }
  // The platform accepts custom schemes only with PKCE, even from a confidential client.
  if (code.codeChallenge === null && !/^https?:/i.test(code.redirectUri)) {
    throw invalidGrantError("redirect_uri");
  }
  if (!await matchesChallenge(form.get("code_verifier"), code.codeChallenge)) {
    throw invalidGrantError("code_verifier");
  }
  // Another exchange of the same code may have finished during the hash of the verifier.
  if (code.used) throw invalidGrantError("code");
  code.used = true;
  const tokens = issueTokens(world, code.grant);
  return oauthJson({ ...tokens, ...await extraTokenFields(call, code, tokens.access_token) });
}

/** Exchanges a refresh token for a new pair of tokens (RFC 6749 section 6). */
export function exchangeRefreshToken(
  { world }: Call,
  application: Application,
  form: URLSearchParams,
): Response {
  const value = form.get("refresh_token") ?? "";
  const grant = world.refreshTokens.get(value);
  if (grant === undefined || grant.revoked || grant.application !== application) {
    throw invalidGrantError("refresh_token");
  }
  world.refreshTokens.delete(value);
  return oauthJson(issueTokens(world, grant));
}

/** Issues a token for the application's owner (RFC 6749 section 4.4). */
export function exchangeClientCredentials(
  { world }: Call,
  application: Application,
  form: URLSearchParams,
): Response {
  if (application.secret === null) {
    throw oauthError("unauthorized_client", "A public client has no credentials");
  }
  const scopes = readScopes(world, form, "client_credentials");
  if (application.ownedByTeam && !scopes.every((scope) => teamScopes.includes(scope))) {
    throw invalidScopeError();
  }
  const grant = { ...newGrant(application, application.owner, scopes), consented: false };
  return oauthJson(issueAccessToken(world, grant));
}

/**
 * Returns the valid code. A second use revokes the tokens of the first use, since one of the two may be a thief's (RFC 6749
 * section 10.5).
 */
function requireCode(world: World, application: Application, value: string): AuthorizationCode {
  const code = world.codes.get(value);
  if (code === undefined || code.grant.application !== application) throw invalidGrantError("code");
  if (code.used) code.grant.revoked = true;
  if (code.grant.revoked || code.expiresAt <= world.now()) throw invalidGrantError("code");
  return code;
}

async function matchesChallenge(
  verifier: string | null,
  challenge: string | null,
): Promise<boolean> {
  if (verifier === null || challenge === null) return verifier === challenge;
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return toBase64Url(await sha256(verifier)) === challenge;
}

/** Returns the additional fields of the token response: the guild of a bot, the webhook, and the `id_token`. */
async function extraTokenFields(
  { world, apiVersion }: Call,
  code: AuthorizationCode,
  accessToken: string,
): Promise<Record<string, unknown>> {
  const { grant: { application, scopes }, guild, channelId } = code;
  return {
    ...(guild !== null && scopes.includes("bot")
      ? { guild: guildObject(guild, apiVersion, false) }
      : {}),
    ...(guild !== null && scopes.includes("webhook.incoming")
      ? { webhook: createWebhook(world, application, guild, channelId) }
      : {}),
    ...(scopes.includes("openid") ? { id_token: await signIdToken(world, code, accessToken) } : {}),
  };
}

function createWebhook(
  world: World,
  application: Application,
  guild: Guild,
  channelId: string | null,
): Record<string, unknown> {
  const id = newSnowflake(world);
  const token = randomToken("webhook");
  // The person could choose another channel, and does not.
  const selected = channelObjects(guild).find((channel) => channel["id"] === channelId);
  return {
    id,
    type: 1,
    guild_id: guild.payload.id,
    channel_id: selected?.["id"] ?? guild.payload.system_channel_id ?? guild.payload.id,
    name: application.name,
    avatar: application.icon,
    token,
    application_id: application.id,
    url: `${world.origin}/api/webhooks/${id}/${token}`,
  };
}
