/**
 * Consents or refuses as a user on the consent page, without a browser.
 *
 * @module
 */

import {
  type AuthorizeRequest,
  type AuthorizeResult,
  readAuthorizeRequest,
} from "../endpoints/authorize_request.ts";
import { denyRequest, grantRequest } from "../endpoints/consent.ts";
import { allowDevice, denyDevice, findDeviceLogin } from "../endpoints/device.ts";
import { readApiPath } from "../http/call.ts";
import { findUser } from "../world/find.ts";
import { type Fields, optional, permissions, string, throwUnless } from "../world/schema.ts";
import type { DeviceLogin, World } from "../world/world.ts";

/** A user's choices on the consent page, for {@link FakePlatform.authorize}. */
export interface FakeConsent {
  /**
   * The id or the username of the user.
   * @default the first user
   */
  readonly as?: string | undefined;
  /**
   * The chosen guild for a bot or a webhook. With `disable_guild_select=true` in the authorization URL, only the URL's `guild_id`
   * is allowed.
   * @default the `guild_id` of the authorization URL, or else the first guild where the user may add the application
   */
  readonly guildId?: string | undefined;
  /**
   * The granted permissions of a bot, as a decimal string.
   * @default the permissions in the authorization URL
   */
  readonly permissions?: string | undefined;
}

export function consentFields(): Fields<FakeConsent> {
  return { as: optional(string), guildId: optional(string), permissions: optional(permissions) };
}

/** Consents to an authorization URL as a user. Returns the target of the redirect. */
export function authorizeAs(world: World, url: string | URL, consent: FakeConsent): string {
  const user = findUser(world, consent.as);
  const { guildId = null, permissions = null } = consent;
  return decide(world, url, (request) => {
    const result = grantRequest(world, request, { user, guildId, permissions });
    if (result.kind === "page") throw new Error(result.message);
    return result;
  });
}

/** Cancels an authorization URL. Returns the target of the redirect. */
export function deny(world: World, url: string | URL): string {
  return decide(world, url, (request) => denyRequest(world, request));
}

/** Consents to the login of the device with this user code. */
export function authorizeDeviceAs(world: World, userCode: string, as: string | undefined): void {
  const user = findUser(world, as);
  allowDevice(world, requireDeviceLogin(world, userCode), user);
}

/** Refuses the login of the device with this user code. */
export function denyDeviceByCode(world: World, userCode: string): void {
  denyDevice(requireDeviceLogin(world, userCode));
}

/** Opens an authorization URL and decides. Returns the target of the redirect. */
function decide(
  world: World,
  url: string | URL,
  decision: (request: AuthorizeRequest) => AuthorizeResult,
): string {
  const parsed = readAuthorizeRequest(world, readAuthorizeUrl(world, url).searchParams);
  const result = parsed.kind === "request" ? decision(parsed.request) : parsed;
  if (result.kind === "redirect") return result.location;
  throw new TypeError(`the platform showed a page instead of a redirect: ${result.message}`);
}

/** Returns true for the address of the consent page, also below the API. */
export function isConsentPage({ origin }: World, url: URL): boolean {
  const path = readApiPath(url.pathname)?.path ?? url.pathname;
  return url.origin === origin && path === "/oauth2/authorize";
}

function readAuthorizeUrl(world: World, text: string | URL): URL {
  if (!URL.canParse(text)) {
    throw new TypeError(
      `url must be an authorize URL of ${world.origin}, received no absolute URL`,
    );
  }
  const url = new URL(text);
  if (isConsentPage(world, url)) return url;
  const isOfAnotherPlatform = url.pathname.endsWith("/oauth2/authorize");
  const hint = isOfAnotherPlatform ? ": pass ...fake (platform and fetch) to the Login" : "";
  throw new TypeError(
    `url must be an authorize URL of ${world.origin}, received ${url.origin}${url.pathname}${hint}`,
  );
}

function requireDeviceLogin(world: World, userCode: string): DeviceLogin {
  const login = typeof userCode === "string" ? findDeviceLogin(world, userCode) : null;
  throwUnless(login !== null, "the code of a waiting device", userCode, "userCode");
  return login;
}
