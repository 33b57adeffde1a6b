/**
 * What a person does in a browser, done without one.
 *
 * @module
 */

import type { AuthorizeRequest, Outcome } from "../endpoints/authorize_request.ts";
import { denyRequest, grantRequest, readRequest } from "../endpoints/authorize_request.ts";
import { allowDevice, denyDevice, findDeviceLogin } from "../endpoints/device.ts";
import { readApiPath } from "../http/responses.ts";
import type { Application } from "../world/application.ts";
import type { TokenPayload } from "../world/payloads/token.ts";
import { isPermissions } from "../world/permissions.ts";
import { tokenPair } from "../world/tokens.ts";
import type { User } from "../world/user.ts";
import type { DeviceLogin, World } from "../world/world.ts";

/** Consents, and returns the URL that the browser would be sent to. */
export function authorizeAs(world: World, url: string | URL, consent: FakeConsent): string {
  const user = findUser(world, consent.as);
  const { guildId = null, permissions = null } = consent;
  if (permissions !== null && !isPermissions(permissions)) {
    throw new TypeError(
      `permissions must be a decimal string: found ${JSON.stringify(permissions)}`,
    );
  }
  return follow(world, url, (request) => {
    const outcome = grantRequest(world, request, { user, guildId, permissions });
    if (outcome.kind === "page") throw new Error(outcome.message.replace(/\.$/, ""));
    return outcome;
  });
}

/** Refuses, and returns the URL that the browser would be sent to. */
export function denyAs(world: World, url: string | URL): string {
  return follow(world, url, (request) => denyRequest(world, request));
}

/** Lets a device log a person in. */
export function authorizeDeviceAs(world: World, userCode: string, as: string | undefined): void {
  const user = findUser(world, as);
  allowDevice(world, waitingDevice(world, userCode), user);
}

/** Refuses a device. */
export function denyDeviceAs(world: World, userCode: string): void {
  denyDevice(waitingDevice(world, userCode));
}

function waitingDevice(world: World, userCode: string): DeviceLogin {
  const login = findDeviceLogin(world, userCode);
  if (login !== null) return login;
  throw new TypeError(
    `userCode must be the code of a device that waits: found ${JSON.stringify(userCode)}`,
  );
}

/** Gives out tokens without a login. */
export function issueTokenTo(world: World, request: FakeTokenRequest): TokenPayload {
  const { scopes = ["identify"], clientId } = request;
  const user = findUser(world, request.as);
  const application = findApplication(world, clientId);
  const unknown = scopes.find((scope) => !world.knownScopes.has(scope));
  if (unknown !== undefined) {
    throw new TypeError(`scopes must be known to the platform: found ${JSON.stringify(unknown)}`);
  }
  const grant = { application, user, scopes: [...scopes], consented: true, revoked: false };
  return tokenPair(world, grant, grant.scopes);
}

/** Opens an authorize URL, decides, and returns the URL that the browser would be sent to. */
function follow(
  world: World,
  url: string | URL,
  decide: (request: AuthorizeRequest) => Outcome,
): string {
  if (!URL.canParse(url)) {
    throw new TypeError(`url must be an authorize URL of ${world.origin}: found no absolute URL`);
  }
  const { origin, pathname, searchParams } = new URL(url);
  const path = readApiPath(pathname)?.path ?? pathname;
  if (origin !== world.origin || path !== "/oauth2/authorize") {
    throw new TypeError(
      `url must be an authorize URL of ${world.origin}: found ${origin}${pathname}`,
    );
  }
  const reading = readRequest(world, searchParams);
  const outcome = reading.kind === "request" ? decide(reading.request) : reading;
  if (outcome.kind === "redirect") return outcome.location;
  throw new TypeError(`the platform refused the link and showed a page: ${outcome.message}`);
}

/** The application with an id, or the first one. */
export function findApplication(world: World, clientId: string | undefined): Application {
  const application = clientId === undefined
    ? world.applications.values().next().value
    : world.applications.get(clientId);
  if (application === undefined) {
    throw new TypeError(`clientId must name an application: found ${JSON.stringify(clientId)}`);
  }
  return application;
}

/** The user with an id or a username, or the first one. */
export function findUser(world: World, as: string | undefined): User {
  const users = [...world.users.values()];
  const user = as === undefined
    ? users[0]
    : users.find(({ payload }) => payload.id === as || payload.username === as);
  if (user === undefined) {
    throw new TypeError(
      `as must be the id or the username of a user of the platform: found ${JSON.stringify(as)}`,
    );
  }
  return user;
}

/** Who consents, and to what, in {@link FakePlatform.authorize}. */
export interface FakeConsent {
  /**
   * The id or the username of who is asked.
   * @default the first user
   */
  readonly as?: string;
  /**
   * The guild chosen for a bot or a webhook.
   * @default the `guild_id` of the URL, or else the first guild the user may choose
   */
  readonly guildId?: string;
  /**
   * The permissions granted to a bot, as a decimal string.
   * @default those that the URL asks for
   */
  readonly permissions?: string;
}

/** What {@link FakePlatform.issueToken} takes. Everything has a default. */
export interface FakeTokenRequest {
  /**
   * The id or the username of whose token it is.
   * @default the first user
   */
  readonly as?: string;
  /**
   * The granted scopes.
   * @default ["identify"]
   */
  readonly scopes?: readonly string[];
  /**
   * The application it is issued to.
   * @default the first application
   */
  readonly clientId?: string;
}
