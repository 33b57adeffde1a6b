/**
 * The device grant (RFC 8628): a login on a device without a browser, approved by a code that the person types in
 * elsewhere.
 *
 * @module
 */

import { json, noStore, oauthError } from "../http/responses.ts";
import type { Application } from "../world/application.ts";
import { randomToken, tokenPair } from "../world/tokens.ts";
import type { User } from "../world/user.ts";
import type { DeviceLogin, World } from "../world/world.ts";
import { allowsNoGuild, remember } from "./authorize_request.ts";
import { signIdToken } from "./openid.ts";

export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

/** Seconds. */
const deviceCodeLifetime = 300;

/** Seconds between two requests for the token, and the seconds added when a device asks sooner. */
const pollingInterval = 5;

/** The answer to a device that wants to log somebody in (RFC 8628 section 3.2). */
export function startDeviceLogin(
  world: World,
  application: Application,
  scopes: readonly string[] | null,
): Response {
  if (
    scopes === null || !allowsNoGuild(scopes) ||
    !scopes.every((scope) => world.knownScopes.has(scope))
  ) {
    return oauthError(
      "invalid_scope",
      "The requested scope is invalid, unknown, or malformed.",
    );
  }
  const deviceCode = randomToken("device");
  const userCode = randomUserCode();
  world.deviceLogins.set(deviceCode, {
    application,
    scopes,
    userCode,
    expiresAt: world.now() + deviceCodeLifetime * 1000,
    interval: pollingInterval,
    askedAt: null,
    decision: null,
  });
  const uri = `${world.origin}/activate`;
  return json(
    {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: deviceCodeLifetime,
      interval: pollingInterval,
    },
    200,
    noStore,
  );
}

/** The answer to a device that asks for its token (RFC 8628 section 3.5). */
export async function exchangeDeviceCode(
  world: World,
  application: Application,
  deviceCode: string,
): Promise<Response> {
  const login = world.deviceLogins.get(deviceCode);
  if (login === undefined || login.application !== application) {
    return oauthError("invalid_grant", 'Invalid "device_code" in request.');
  }
  const now = world.now();
  if (login.expiresAt <= now) return oauthError("expired_token", "The device code has expired");
  if (login.decision === "denied") {
    return oauthError("access_denied", "The resource owner denied the request");
  }
  if (login.decision !== null) {
    world.deviceLogins.delete(deviceCode);
    const { grant } = login.decision;
    const tokens = tokenPair(world, grant, grant.scopes);
    const idToken = grant.scopes.includes("openid")
      ? { id_token: await signIdToken(world, login.decision, tokens.access_token) }
      : {};
    return json({ ...tokens, ...idToken }, 200, noStore);
  }
  const isTooSoon = login.askedAt !== null && now - login.askedAt < login.interval * 1000;
  login.askedAt = now;
  if (isTooSoon) {
    login.interval += pollingInterval;
    return oauthError("slow_down", "The device asks too often");
  }
  return oauthError("authorization_pending", "The authorization request is still pending");
}

/** The login that waits for a decision under a user code, however the code was typed. */
export function findDeviceLogin(world: World, typed: string): DeviceLogin | null {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, "");
  for (const login of world.deviceLogins.values()) {
    if (
      login.userCode.replace("-", "") === letters && login.decision === null &&
      login.expiresAt > world.now()
    ) return login;
  }
  return null;
}

/** Carries out a person's consent. */
export function allowDevice(world: World, login: DeviceLogin, user: User): void {
  const { application, scopes } = login;
  remember(world, application, user, scopes);
  login.decision = {
    grant: { application, user, scopes, consented: true, revoked: false },
    nonce: null,
    issuedAt: world.now(),
  };
}

/** Carries out a person's refusal. */
export function denyDevice(login: DeviceLogin): void {
  login.decision = "denied";
}

/** Two times four consonants: easy to type, and no words (RFC 8628 section 6.1). */
function randomUserCode(): string {
  const letters = Array.from(
    crypto.getRandomValues(new Uint8Array(8)),
    (byte) => consonants.charAt(byte % consonants.length),
  ).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

const consonants = "BCDFGHJKLMNPQRSTVWXZ";
