/**
 * A fake platform in memory, for tests of an application. It has the responses, status codes and rules of the real platform, and
 * does not need a network or an account.
 *
 * It has the authorize page, the authorization code grant with PKCE, the implicit, refresh token, client credentials and device
 * grants, revocation, OpenID, users, guilds, linked roles, webhook events, and the image CDN. It takes a `Request` and returns a
 * `Response`, so it runs in every runtime with `fetch`, and a server can serve it over HTTP. It does not share platform code with
 * the rest of this library, so tests with the fake platform find mistakes in the library.
 *
 * @example
 * ```ts
 * import {
 *   createFakePlatform,
 *   sampleApplication,
 * } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const { id, secret, redirectUris: [redirectUri] } = sampleApplication;
 *
 * const link = `${fake.platform.authorizeUrl}?` + new URLSearchParams({
 *   response_type: "code",
 *   client_id: id,
 *   scope: "identify",
 *   redirect_uri: redirectUri ?? "",
 * });
 * const callback = new URL(await fake.authorize(link, { as: "ada" }));
 *
 * const headers = {
 *   "user-agent": "DiscordBot (https://app.example, 1.0)",
 * };
 * const response = await fake.fetch(
 *   `${fake.platform.apiUrl}/oauth2/token`,
 *   {
 *     method: "POST",
 *     headers,
 *     body: new URLSearchParams({
 *       grant_type: "authorization_code",
 *       code: callback.searchParams.get("code") ?? "",
 *       redirect_uri: redirectUri ?? "",
 *       client_id: id,
 *       client_secret: secret,
 *     }),
 *   },
 * );
 * const { access_token } = await response.json();
 *
 * const me = await fake.fetch(`${fake.platform.apiUrl}/users/@me`, {
 *   headers: { ...headers, authorization: `Bearer ${access_token}` },
 * });
 * (await me.json()).username; // "ada"
 * ```
 *
 * @module
 */

import type { FakePlatform } from "./fake_platform.ts";
import { createFailureQueue } from "./faults/failures.ts";
import { createRateLimits } from "./faults/rate_limits.ts";
import type { FakePlatformOptions } from "./options.ts";
import { checkOptions } from "./options.ts";
import {
  activityConsentFields,
  activityRequestFields,
  authorizeActivity,
  authorizeActivityRequest,
  type FakeActivityConsent,
  type FakeActivityRequest,
} from "./person/activity.ts";
import { browserFields, createBrowser } from "./person/browser.ts";
import {
  authorizeAs,
  authorizeDeviceAs,
  consentFields,
  deny,
  denyDeviceByCode,
} from "./person/decisions.ts";
import { assertHandler } from "./person/handler.ts";
import { issueToken, tokenRequestFields } from "./person/issue_token.ts";
import { loginFields, logInThrough } from "./person/login.ts";
import { createServer } from "./server.ts";
import {
  endAuthorization,
  eventKey,
  sendWebhookEvent,
  webhookEventFields,
} from "./webhook_events.ts";
import { buildWorld } from "./world/build_world.ts";
import { findApplication, findUser } from "./world/find.ts";
import { platformOf } from "./world/platform.ts";
import { checkedOptions, formatValue, namingMethod } from "./world/schema.ts";
import { updateWorld } from "./world/update_world.ts";
import type { World } from "./world/world.ts";

export type { Platform, TextPlatform } from "../links/platform.ts";
export type { FakePlatform } from "./fake_platform.ts";
export type { FakePlatformOptions } from "./options.ts";
export type {
  FakeApplication,
  FakeEntitlement,
  FakeInstallParams,
  FakeSubscription,
  FakeWebhookHandler,
} from "./world/application.ts";
export type { FakeChannel, FakeGuild, FakeRole } from "./world/guild.ts";
export type { FakeMember } from "./world/member.ts";
export type {
  FakeApplicationUpdate,
  FakeGuildUpdate,
  FakeUpdate,
  FakeUserUpdate,
} from "./world/update_world.ts";
export type { FakeFields } from "./world/schema.ts";
export type { FakeConnection, FakeUser } from "./world/user.ts";
export type { Failure } from "./faults/failures.ts";
export type { FakeRateLimit, FakeRateLimits } from "./faults/rate_limits.ts";
export type { FakeActivityConsent, FakeActivityRequest } from "./person/activity.ts";
export type { FakeBrowser, FakeBrowserOptions } from "./person/browser.ts";
export type { FakeConsent } from "./person/decisions.ts";
export type { FakeTokenRequest } from "./person/issue_token.ts";
export type { FakeLogin, FakeLoginHandler, FakeLoginOptions } from "./person/login.ts";
export type { FakeWebhookEvent } from "./webhook_events.ts";
export type { RecordedRequest } from "./recorded_requests.ts";
export type { SaveOptions, Store, StoredValue } from "../stores/store.ts";
export { checkStore } from "./check_store.ts";
export { nodeListener } from "./node_listener.ts";
export type { NodeListenerOptions, NodeRequest, NodeResponse } from "./node_listener.ts";
export { CookieJar } from "./person/cookie_jar.ts";
export type { JarCookie } from "./person/cookie_jar.ts";
export type { ConnectionPayload } from "./world/payloads/connection.ts";
export type { ChannelPayload } from "./world/payloads/channel.ts";
export type { EmojiPayload } from "./world/payloads/emoji.ts";
export type { EntitlementPayload } from "./world/payloads/entitlement.ts";
export type { SubscriptionPayload } from "./world/payloads/subscription.ts";
export type { GuildPayload, PartialGuildPayload } from "./world/payloads/guild.ts";
export type { RolePayload } from "./world/payloads/role.ts";
export type { StickerPayload } from "./world/payloads/sticker.ts";
export type { MemberPayload } from "./world/payloads/member.ts";
export type { RoleConnectionPayload } from "./world/payloads/role_connection.ts";
export type { TokenPayload, WebhookPayload } from "./world/payloads/token.ts";
export type {
  AvatarDecorationPayload,
  CollectiblesPayload,
  PrimaryGuildPayload,
  UserPayload,
} from "./world/payloads/user.ts";
export { sampleApplication, sampleGuilds, sampleUsers } from "./world/samples.ts";

/**
 * Creates a fake platform in memory. Each platform has its own state.
 *
 * @param options The applications, users, guilds and rules. The default has one application ({@link sampleApplication}), two
 * users ({@link sampleUsers}) and five guilds ({@link sampleGuilds}).
 * @throws {TypeError} If an option is unknown, has the wrong type, or contradicts another. The message has the path of the
 * option, such as `users[0].id`.
 *
 * @example
 * ```ts
 * import { createFakePlatform } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform({
 *   users: [{ id: "1", username: "ada" }],
 *   guilds: [{
 *     id: "7",
 *     name: "Looms",
 *     members: { "1": { owner: true } },
 *   }],
 * });
 * const { access_token } = fake.issueToken({
 *   as: "ada",
 *   scopes: ["guilds"],
 * });
 *
 * // The next response fails:
 * fake.failNext({ path: "/users/@me/guilds", status: 503 });
 * const response = await fake.fetch(
 *   `${fake.platform.apiUrl}/users/@me/guilds`,
 *   {
 *     headers: {
 *       authorization: `Bearer ${access_token}`,
 *       "user-agent": "DiscordBot (test, 1)",
 *     },
 *   },
 * );
 * response.status; // 503
 * fake.requests.length; // 1
 * ```
 */
export function createFakePlatform(options: FakePlatformOptions = {}): FakePlatform {
  checkOptions(options);
  const clock = createClock(options.now ?? Date.now);
  const { now } = clock;
  const world = buildWorld(options, now);
  const failures = createFailureQueue(world);
  const server = createServer({
    world,
    failures,
    rateLimits: createRateLimits(options.rateLimits, now),
    requireUserAgent: options.requireUserAgent ?? true,
    maxRequests: options.maxRequests ?? 10_000,
  });
  const fake: FakePlatform = {
    platform: platformOf(world),
    fetch: server.fetch,
    handler: (request) => server.fetch(request),
    requests: server.requests,
    ...personOf(world),
    issueToken: (request = {}) =>
      issueToken(world, checkedOptions("issueToken", tokenRequestFields(), request)),
    removeApplication: async (removal = {}) => {
      const { as, clientId } = tokenRequestFields();
      checkedOptions("removeApplication", { as, clientId }, removal);
      return await endAuthorization(
        world,
        findApplication(world, removal.clientId),
        findUser(world, removal.as),
      );
    },
    sendWebhookEvent: async (handler, type, event = {}) =>
      await sendWebhookEvent(
        world,
        handler,
        type,
        checkedOptions("sendWebhookEvent", webhookEventFields(), event),
      ),
    webhookPublicKey: async (clientId) =>
      (await eventKey(world, findApplication(world, clientId))).publicKey,
    update: (changes) => namingMethod("update", () => updateWorld(world, changes)),
    failNext: failures.add,
    ...clock,
  };
  // Clients reject unknown options except the names in this list, which allows `...fake` as options.
  return Object.assign(fake, { [Symbol.for("@guildpass/sdk names")]: Object.keys(fake) });
}

/** Returns the methods that act as a person. */
function personOf(world: World): PersonMethods {
  return {
    authorize: async (url, consent = {}) =>
      await authorizeAs(world, url, checkedOptions("authorize", consentFields(), consent)),
    authorizeActivity: consentToActivities(world),
    login: async (handler, options = {}) => {
      assertHandler(handler);
      return await logInThrough(world, handler, checkedOptions("login", loginFields(), options));
    },
    browser: (handler, options = {}) => {
      assertHandler(handler);
      return createBrowser(world, handler, checkedOptions("browser", browserFields(), options));
    },
    deny: async (url) => await deny(world, url),
    authorizeDevice: async (userCode, consent = {}) => {
      const { as } = consentFields();
      checkedOptions("authorizeDevice", { as }, consent);
      return await authorizeDeviceAs(world, userCode, consent.as);
    },
    denyDevice: async (userCode) => await denyDeviceByCode(world, userCode),
  };
}

type PersonMethods = Pick<
  FakePlatform,
  | "authorize"
  | "authorizeActivity"
  | "login"
  | "browser"
  | "deny"
  | "authorizeDevice"
  | "denyDevice"
>;

/** Consents to a request of the SDK, or to one that the options describe. */
function consentToActivities(world: World): FakePlatform["authorizeActivity"] {
  function consent(options?: FakeActivityConsent): Promise<string>;
  function consent(
    request: FakeActivityRequest,
    options?: Pick<FakeActivityConsent, "as">,
  ): Promise<{ readonly code: string }>;
  async function consent(
    first: FakeActivityConsent | FakeActivityRequest = {},
    options: Pick<FakeActivityConsent, "as"> = {},
  ) {
    const name = "authorizeActivity";
    if (typeof first !== "object" || !first || !("client_id" in first)) {
      return await authorizeActivity(world, checkedOptions(name, activityConsentFields(), first));
    }
    const { as } = checkedOptions(name, { as: activityConsentFields().as }, options);
    const request = checkedOptions(name, activityRequestFields(), first);
    return authorizeActivityRequest(world, request, as);
  }
  return consent;
}

/** Creates a clock that can be moved forward. */
function createClock(time: () => number): Pick<FakePlatform, "now" | "advance"> {
  let offset = 0;
  return {
    now: () => time() + offset,
    advance(milliseconds) {
      if (!Number.isFinite(milliseconds) || milliseconds < 0) {
        const received = formatValue(milliseconds);
        throw new RangeError(`milliseconds must be a number, 0 or more, received ${received}`);
      }
      offset += milliseconds;
    },
  };
}
