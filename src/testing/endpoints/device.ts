/**
 * The device grant (RFC 8628): a login on a device without a browser. The user enters the device's code in a browser on another
 * device.
 *
 * @module
 */

import type { Call, Routes } from "../http/call.ts";
import {
  invalidGrantError,
  invalidScopeError,
  oauthError,
  oauthJson,
  readOAuthForm,
  readScopes,
  requireClient,
} from "../http/oauth.ts";
import type { Application } from "../world/application.ts";
import { issueTokens, newGrant, randomToken } from "../world/tokens.ts";
import type { User } from "../world/user.ts";
import type { DeviceLogin, World } from "../world/world.ts";
import { needsApproval, rememberConsent } from "./consent.ts";
import { signIdToken } from "./openid.ts";

export const deviceRoutes: Routes = {
  "/oauth2/device/authorize": { POST: startDeviceLogin },
};

const deviceCodeLifetimeSeconds = 300;

/** The minimum polling interval, in seconds. Each request before its end extends the interval by 5 seconds. */
const pollingIntervalSeconds = 5;

/** Starts a device login: returns a device code and a user code (RFC 8628 section 3.2). */
function startDeviceLogin(call: Call): Response {
  const { world } = call;
  const form = readOAuthForm(call);
  const application = requireClient(call, form);
  const scopes = readScopes(world, form, "device");
  if (needsApproval(application, scopes)) throw invalidScopeError();
  const deviceCode = randomToken("device");
  const userCode = randomUserCode();
  world.deviceLogins.set(deviceCode, {
    application,
    scopes,
    userCode,
    expiresAt: world.now() + deviceCodeLifetimeSeconds * 1000,
    intervalSeconds: pollingIntervalSeconds,
    lastPollAt: null,
    decision: null,
  });
  const uri = `${world.origin}/activate`;
  return oauthJson({
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: uri,
    verification_uri_complete: `${uri}?user_code=${userCode}`,
    expires_in: deviceCodeLifetimeSeconds,
    interval: pollingIntervalSeconds,
  });
}

/** Exchanges a device code for a token after the user's consent (RFC 8628 section 3.5). */
export async function exchangeDeviceCode(
  { world }: Call,
  application: Application,
  form: URLSearchParams,
): Promise<Response> {
  const deviceCode = form.get("device_code") ?? "";
  const login = world.deviceLogins.get(deviceCode);
  if (login === undefined || login.application !== application) {
    throw invalidGrantError("device_code");
  }
  if (login.expiresAt <= world.now()) {
    throw oauthError("expired_token", "The device code has expired");
  }
  if (login.decision === null) throw pendingError(world, login);
  if (login.decision === "denied") {
    throw oauthError("access_denied", "The resource owner denied the request");
  }
  world.deviceLogins.delete(deviceCode);
  const { grant } = login.decision;
  const tokens = issueTokens(world, grant);
  const idToken = grant.scopes.includes("openid")
    ? { id_token: await signIdToken(world, login.decision, tokens.access_token) }
    : {};
  return oauthJson({ ...tokens, ...idToken });
}

/**
 * Returns the error for a pending login: `slow_down` for a request before the end of the interval, which also extends the
 * interval.
 */
function pendingError(world: World, login: DeviceLogin): Response {
  const now = world.now();
  const isTooSoon = login.lastPollAt !== null &&
    now - login.lastPollAt < login.intervalSeconds * 1000;
  login.lastPollAt = now;
  if (!isTooSoon) {
    return oauthError("authorization_pending", "The authorization request is still pending");
  }
  login.intervalSeconds += pollingIntervalSeconds;
  return oauthError("slow_down", "The device asks too often");
}

/** Finds a pending login by its user code, also in lowercase or in groups. */
export function findDeviceLogin(world: World, typed: string): DeviceLogin | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, "");
  for (const login of world.deviceLogins.values()) {
    if (
      login.userCode === code && login.decision === null && login.expiresAt > world.now()
    ) return login;
  }
  return null;
}

/** Records the user's consent for the device. */
export function allowDevice(world: World, login: DeviceLogin, user: User): void {
  const { application, scopes } = login;
  rememberConsent(world, application, user, scopes);
  login.decision = {
    grant: newGrant(application, user, scopes),
    nonce: null,
    issuedAt: world.now(),
  };
}

/** Records the refusal for the device. */
export function denyDevice(login: DeviceLogin): void {
  login.decision = "denied";
}

/** Creates a user code of eight letters and digits, as on the platform. */
function randomUserCode(): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(8)),
    (byte) => userCodeCharacters.charAt(byte % userCodeCharacters.length),
  ).join("");
}

/** The characters of user codes, without similar-looking characters. */
const userCodeCharacters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
