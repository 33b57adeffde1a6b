/**
 * Describes what tests can do with a fake platform.
 *
 * @module
 */

import type { Scope } from "../links/scopes.ts";
import type { TextPlatform } from "../links/platform.ts";
import type { Failure } from "./faults/failures.ts";
import type { FakeActivityConsent, FakeActivityRequest } from "./person/activity.ts";
import type { FakeBrowser, FakeBrowserOptions } from "./person/browser.ts";
import type { FakeConsent } from "./person/decisions.ts";
import type { FakeTokenRequest } from "./person/issue_token.ts";
import type { FakeLogin, FakeLoginHandler, FakeLoginOptions } from "./person/login.ts";
import type { RecordedRequest } from "./recorded_requests.ts";
import type { FakeWebhookEvent } from "./webhook_events.ts";
import type { FakeWebhookHandler } from "./world/application.ts";
import type { FakeUpdate } from "./world/update_world.ts";
import type { TokenPayload } from "./world/payloads/token.ts";

/**
 * A fake platform in memory. {@link createFakePlatform} creates it.
 *
 * @example
 * ```ts
 * import { User } from "@guildpass/sdk";
 * import { createFakePlatform } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * const token = fake.issueToken({ as: "ada", scopes: ["identify"] });
 * const user = new User(token.access_token, fake);
 * (await user.getCurrentUser()).username; // "ada"
 * fake.requests.length; // 1
 * ```
 */
export interface FakePlatform {
  /** The platform with its base URLs, for the code under test. */
  readonly platform: TextPlatform;
  /**
   * Responds to a request. Pass this function as the `fetch` of the code under test. It does not use `this`.
   *
   * @throws The reason of the request's signal, if the signal aborts.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /**
   * Responds to a request, as a handler for `Deno.serve`, Hono, a Worker, or any other server for fetch handlers. It does not use
   * `this`. The handler accepts every host; {@link nodeListener} and the command `guildpass fake` accept only this machine by
   * default.
   */
  readonly handler: (request: Request) => Promise<Response>;
  /**
   * Consents as a user on the consent page. This call is not a request: `requests` does not list it, and `failNext` does not
   * change it.
   *
   * @param url The authorization URL.
   * @param consent The user, by default the first one, and the guild for a bot.
   * @returns The target of the redirect after the consent page. For an invalid authorization URL, for example with an unknown
   * scope, the target contains the error.
   * @throws {TypeError} If `url` is not an authorization URL of this platform, or the application, the redirect URI, the user or
   * an option is unknown.
   * @throws {Error} If the user is not allowed to add the application to the guild, or `guildId` differs from the `guild_id` of a
   * URL with `disable_guild_select=true`.
   *
   * @example
   * ```ts
   * import { AuthUrl } from "@guildpass/sdk/auth-url";
   * import {
   *   createFakePlatform,
   *   sampleApplication,
   * } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const login = new AuthUrl(
   *   sampleApplication.id,
   *   ["identify"],
   *   "https://app.example/callback",
   *   null,
   *   fake,
   * );
   * const link = await login.makeUrl({ state: "s1" });
   * const callback = new URL(await fake.authorize(link, { as: "ada" }));
   * callback.searchParams.has("code"); // true
   *
   * const canceled = new URL(await fake.deny(link));
   * canceled.searchParams.get("error"); // "access_denied"
   * ```
   */
  authorize(url: string | URL, consent?: FakeConsent): Promise<string>;
  /**
   * Declines as a user who clicks “Cancel” on the consent page.
   *
   * {@link FakePlatform.authorize} has an example.
   *
   * @param url The authorization URL.
   * @returns The target of the redirect after the consent page.
   * @throws {TypeError} If `url` is not an authorization URL of this platform, or has no redirect URI.
   */
  deny(url: string | URL): Promise<string>;
  /**
   * Consents as a user to an Activity. The embedded SDK of the Activity gets the code without a redirect, and the exchange must
   * omit `redirect_uri`. As on the real platform, the application must still have a registered redirect URI.
   *
   * @param consent The user, the application and the scopes.
   * @returns The authorization code.
   * @throws {TypeError} If the user, the application or an option is unknown, or the platform rejects the scopes. The message has
   * the reason.
   */
  authorizeActivity(consent?: FakeActivityConsent): Promise<string>;
  /**
   * Consents as a user to the request of an Activity, like `commands.authorize` of the Embedded App SDK. Its argument is what `begin` at
   * the `appPath` of a `Login` returns as `authorize`.
   *
   * @param request The request, as `begin` returns it.
   * @param consent The user, by default the first one.
   * @returns The authorization code, and nothing else.
   * @throws {TypeError} If the user, the application or a name is unknown, such as `redirect_uri`, or the platform rejects the request.
   */
  authorizeActivity(
    request: FakeActivityRequest,
    consent?: Pick<FakeActivityConsent, "as">,
  ): Promise<{ readonly code: string }>;
  /**
   * Logs a user in through the routes of an application, like a browser: opens the login page, consents, and opens the callback.
   *
   * @param handler The fetch handler of the application, such as `Login.handle`.
   * @param options The user, the guild, and the page to return to.
   * @throws {TypeError} If an option is unknown or wrong, the handler is not a function, or it does not return a response.
   * @throws {Error} If the application does not redirect to the consent page, or its callback does not end in a redirect.
   *
   * @example
   * ```ts
   * import { Login } from "@guildpass/sdk";
   * import {
   *   createFakePlatform,
   *   sampleApplication,
   * } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const { id: clientId, secret: clientSecret } = sampleApplication;
   * const login = new Login({
   *   clientId,
   *   clientSecret,
   *   scope: ["identify"],
   *   secret: crypto.randomUUID(),
   *   ...fake,
   * });
   *
   * const { jar } = await fake.login(login.handle, { as: "grace" });
   * const request = jar.request("https://app.example/settings");
   * (await login.session(request))?.user.username; // "grace"
   * ```
   */
  login(handler: FakeLoginHandler, options?: FakeLoginOptions): Promise<FakeLogin>;
  /**
   * Opens a browser in front of an application. The browser follows redirects to the last page, and completes the consent page itself.
   *
   * @param handler The fetch handler of the application, such as `Login.handle`, or `fetch` for an application on a port.
   * @param options The user, and `cancel: true` for a user who declines.
   * @throws {TypeError} If an option is unknown or wrong, or `as` is not a user of the platform.
   *
   * @example
   * ```ts
   * import { Login } from "@guildpass/sdk";
   * import {
   *   createFakePlatform,
   *   sampleApplication,
   * } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const { id: clientId, secret: clientSecret } = sampleApplication;
   * const secret = crypto.randomUUID();
   * const login = new Login({
   *   clientId,
   *   clientSecret,
   *   scope: ["identify"],
   *   secret,
   *   ...fake,
   * });
   *
   * const browser = fake.browser(async (request) => {
   *   const session = await login.session(request);
   *   return await login.handle(request) ??
   *     (session
   *       ? new Response(session.user.username)
   *       : await login.start(request));
   * }, { as: "ada" });
   * const page = await browser.open("https://app.example/shop");
   * await page.text(); // "ada"
   * browser.url; // "https://app.example/shop"
   * ```
   */
  browser(handler: FakeLoginHandler, options?: FakeBrowserOptions): FakeBrowser;
  /**
   * Consents as a user who enters the code of a device on the page at `verification_uri`.
   *
   * @param userCode The `user_code` of the device, in uppercase or lowercase. Spaces and hyphens are ignored.
   * @param consent The user.
   * @throws {TypeError} If a device with this code is not waiting, or the user or an option is unknown.
   */
  authorizeDevice(userCode: string, consent?: Pick<FakeConsent, "as">): Promise<void>;
  /**
   * Declines as a user who enters the code of a device and clicks “Cancel”.
   *
   * @param userCode The `user_code` of the device.
   * @throws {TypeError} If a device with this code is not waiting.
   */
  denyDevice(userCode: string): Promise<void>;
  /**
   * Issues a token without a login, for tests of later steps.
   *
   * @param request The user, the application and the scopes.
   * @throws {TypeError} If the user, the application, a scope or an option is unknown.
   *
   * @example
   * ```ts
   * import { createFakePlatform } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const token = fake.issueToken({ as: "ada", scopes: ["guilds"] });
   * token.scope; // "guilds"
   * ```
   */
  issueToken<const Granted extends Scope = Scope>(
    request?: FakeTokenRequest<Granted>,
  ): TokenPayload;
  /**
   * Removes an application as a user in the settings: ends all of the application's tokens for this user, and sends
   * `APPLICATION_DEAUTHORIZED` to the application's `webhookEvents`.
   *
   * @param removal The user and the application.
   * @returns The response to the event; `null` if no event was sent, because the application has no `webhookEvents`, or the user
   * had not authorized it.
   * @throws {TypeError} If the user, the application or an option is unknown.
   * @throws The error of the handler.
   */
  removeApplication(removal?: Pick<FakeTokenRequest, "as" | "clientId">): Promise<Response | null>;
  /**
   * Changes users, guilds, members and purchases during a test. The changes apply from the next request on. Absent fields stay
   * unchanged, and `null` removes a member, a bot or a purchase. A member's roles need not exist in the guild.
   *
   * @param changes The changed users, guilds and applications, by their ids.
   * @throws {TypeError} If a name is unknown, a value has the wrong type, or values contradict each other. The world stays
   * unchanged.
   *
   * @example
   * ```ts
   * import {
   *   createFakePlatform,
   *   sampleGuilds,
   * } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const [, { id }] = sampleGuilds;
   * // Ada changes her name and loses her permissions. Grace leaves.
   * fake.update({
   *   users: { ada: { global_name: "Countess of Lovelace" } },
   *   guilds: {
   *     [id]: { members: { ada: { permissions: "0" }, grace: null } },
   *   },
   * });
   * ```
   */
  update(changes: FakeUpdate): void;
  /**
   * Makes the next matching requests fail: one, or as many as `times`. If several failures match, the oldest applies first.
   *
   * @param failure The failure, and its requests.
   * @returns A function that cancels the failure.
   * @throws {TypeError} If an option is unknown or wrong, or contradicts another, no option says what fails, or `as` is not a user of
   * the platform.
   *
   * @example
   * ```ts
   * import { createFakePlatform } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const cancel = fake.failNext({ path: "/users/@me", status: 503 });
   * const url = `${fake.platform.apiUrl}/users/@me`;
   * (await fake.fetch(url)).status; // 503
   * cancel();
   * ```
   */
  failNext(failure: Failure): () => void;
  /**
   * The latest requests, oldest first: at most 10,000 or `maxRequests`, and about 32 MiB. **They contain codes, tokens and client
   * secrets in clear text**, for assertions: never use the fake platform for real logins, and be careful with logs.
   */
  readonly requests: readonly RecordedRequest[];
  /**
   * Sends a webhook event to an application, with a signature like the platform's.
   *
   * @param handler The fetch handler for the webhook events, or its URL.
   * @param type The type of the event, such as `APPLICATION_DEAUTHORIZED`, or `PING`.
   * @param options The user and the data of the event.
   * @returns The handler's response to the event.
   * @throws {TypeError} If an option is unknown or wrong, or names an unknown user, guild or application.
   * @throws {Error} With `checkFirst`, if the handler fails the check.
   */
  sendWebhookEvent(
    handler: FakeWebhookHandler,
    type: string,
    options?: FakeWebhookEvent,
  ): Promise<Response>;
  /**
   * Returns the public key of an application's webhook events, in 64 hexadecimal digits. The key pair is derived from the client
   * id, so everyone can forge signatures.
   *
   * @param clientId The client id of the application. The default is the first application.
   * @throws {TypeError} If the application is unknown.
   */
  webhookPublicKey(clientId?: string): Promise<string>;
  /**
   * Moves the platform's clock forward: codes, tokens and rate limits expire without a wait. The clients' own waits
   * still take real time.
   *
   * @param milliseconds The time to add, 0 or more.
   * @throws {RangeError} If `milliseconds` is not a number, negative or not finite.
   *
   * @example
   * ```ts
   * import { createFakePlatform } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform({ now: () => 0 });
   * fake.advance(604_800_000); // a week, the lifetime of a token
   * fake.now(); // 604800000
   * ```
   */
  advance(milliseconds: number): void;
  /** Returns the time on the platform's clock, in milliseconds since the epoch. */
  now(): number;
}
