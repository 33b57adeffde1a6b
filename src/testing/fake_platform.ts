/**
 * The fake platform as a test sees it.
 *
 * @module
 */

import type { TextPlatform } from "../links/platform.ts";
import type { Failure } from "./faults/failures.ts";
import type { FakeActivityConsent } from "./person/activity.ts";
import type { FakeBrowser, FakeBrowserOptions } from "./person/browser.ts";
import type { FakeConsent } from "./person/decisions.ts";
import type { FakeTokenRequest } from "./person/issue_token.ts";
import type { FakeLogin, FakeLoginHandler, FakeLoginOptions } from "./person/login.ts";
import type { RecordedRequest } from "./recorded_requests.ts";
import type { FakeWebhookEvent } from "./webhook_events.ts";
import type { FakeWebhookHandler } from "./world/application.ts";
import type { FakeUpdate } from "./world/update_world.ts";
import type { TokenPayload } from "./world/payloads/token.ts";

/** A platform in memory. */
export interface FakePlatform {
  /** The base URLs, for the code that you test. */
  readonly platform: TextPlatform;
  /**
   * Answers a request. Pass it as the `fetch` of the code that you test. It needs no `this`.
   *
   * @throws The reason of the `AbortSignal`, if that aborts.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /**
   * Answers a request, as a handler for `Deno.serve`, Hono, a Worker, and everything else that takes a function from `Request`
   * to `Response`. It needs no `this`. It answers requests for any host. {@link nodeListener} and the command answer this machine's
   * hosts only.
   */
  readonly handler: (request: Request) => Promise<Response>;
  /**
   * Consents as a person does on the consent page. It is no request: `requests` does not list it, and `failNext` does not
   * change it.
   *
   * @returns The URL that the browser would be sent to. For an authorize URL with a mistake, such as an unknown scope, that is the
   * redirect with the error.
   * @throws {TypeError} If `url` is no authorize URL of this platform, or the application, the redirect URI, the user or an option
   * is unknown.
   * @throws {Error} If the user is not allowed to add the application to the guild, or `guildId` is another guild than the one that
   * a URL with `disable_guild_select=true` names.
   */
  authorize(url: string | URL, consent?: FakeConsent): Promise<string>;
  /**
   * Refuses as a person does who clicks “Cancel” on the consent page.
   *
   * @returns The URL that the browser would be sent to.
   * @throws {TypeError} If `url` is no authorize URL of this platform, or has no redirect URI.
   */
  deny(url: string | URL): Promise<string>;
  /**
   * Consents as a person does to an Activity, whose embedded SDK gets the code without a redirect. The exchange must leave
   * `redirect_uri` out. As on the platform, the application must have a redirect URI nevertheless.
   *
   * @returns The code.
   * @throws {TypeError} If the user, the application or an option is unknown, or the platform refuses the scopes. The message has
   * its reason.
   */
  authorizeActivity(consent?: FakeActivityConsent): Promise<string>;
  /**
   * Logs a person in through the routes of an application, as a browser does: opens the login, consents, and opens the callback.
   *
   * @param handler The function that answers the application's requests, such as `Login.handle`.
   * @throws {TypeError} If an option is unknown or wrong.
   * @throws {Error} If the application does not redirect to the consent page, or its callback does not end in a redirect.
   */
  login(handler: FakeLoginHandler, options?: FakeLoginOptions): Promise<FakeLogin>;
  /**
   * Opens a browser in front of an application. It follows redirects to the page at their end, and decides on the consent page by
   * itself.
   *
   * @param handler The function that answers the application's requests, such as `Login.handle`, or `fetch` for one on a port.
   * @throws {TypeError} If an option is unknown or wrong, or `as` names no user of the platform.
   *
   * @example
   * ```ts
   * import { Login } from "@guildpass/sdk";
   * import { createFakePlatform, sampleApplication } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const { id: clientId, secret: clientSecret } = sampleApplication;
   * const secret = crypto.randomUUID();
   * const login = new Login({ clientId, clientSecret, scope: ["identify"], secret, ...fake });
   *
   * const browser = fake.browser(async (request) => {
   *   const session = await login.session(request);
   *   return await login.handle(request) ??
   *     (session ? new Response(session.user.username) : await login.start(request));
   * }, { as: "ada" });
   * const page = await browser.open("https://app.example/shop");
   * await page.text(); // "ada"
   * browser.url; // "https://app.example/shop"
   * ```
   */
  browser(handler: FakeLoginHandler, options?: FakeBrowserOptions): FakeBrowser;
  /**
   * Consents as a person does who types the code of a device into the page at `verification_uri`.
   *
   * @param userCode The `user_code` that the device got, in upper or lower case. Spaces and hyphens are ignored.
   * @param consent The person who consents.
   * @throws {TypeError} If no device waits with this code, or the user or an option is unknown.
   */
  authorizeDevice(userCode: string, consent?: Pick<FakeConsent, "as">): Promise<void>;
  /**
   * Refuses as a person does who types the code of a device in and clicks “Cancel”.
   *
   * @param userCode The `user_code` that the device got.
   * @throws {TypeError} If no device waits with this code.
   */
  denyDevice(userCode: string): Promise<void>;
  /**
   * Issues a token without a login, for tests that begin after one.
   *
   * @throws {TypeError} If the user, the application, a scope or an option is unknown.
   */
  issueToken(request?: FakeTokenRequest): TokenPayload;
  /**
   * Removes an application as a person does in their settings: ends every token that it has for them, on all devices, and sends
   * `APPLICATION_DEAUTHORIZED` to the application's `webhookEvents`.
   *
   * @returns The response to the event. It is `null` if none was sent: the application has no `webhookEvents`, or this person had
   * not authorized it.
   * @throws {TypeError} If the user, the application or an option is unknown.
   * @throws The error that the handler throws.
   */
  removeApplication(removal?: Pick<FakeTokenRequest, "as" | "clientId">): Promise<Response | null>;
  /**
   * Changes users, guilds and members, as happens on the platform while people are logged in. The next request sees it. Fields that
   * are left out stay as they are, and `null` removes a member or a bot. The roles of a member need not be those of the guild.
   *
   * @throws {TypeError} If a name is unknown, a value has the wrong type, or values contradict each other. Then nothing has changed.
   *
   * @example Ada loses her permissions, Grace leaves, and Ada changes her name
   * ```ts
   * import { createFakePlatform, sampleGuilds } from "@guildpass/sdk/testing";
   *
   * const fake = createFakePlatform();
   * const [, { id }] = sampleGuilds;
   * fake.update({
   *   users: { ada: { global_name: "Countess of Lovelace" } },
   *   guilds: { [id]: { members: { ada: { permissions: "0" }, grace: null } } },
   * });
   * ```
   */
  update(changes: FakeUpdate): void;
  /**
   * Makes the next matching request fail, or several. Of the failures that match a request, the one that was given first happens.
   *
   * @returns A function that cancels the failure, unless it has happened.
   * @throws {TypeError} If an option is unknown or wrong, or contradicts another, or `as` names no user of the platform.
   */
  failNext(failure: Failure): () => void;
  /**
   * The latest requests that were received, oldest first: 10,000 at most, or `maxRequests`, and about 32 MiB at most. **They contain codes, tokens and client
   * secrets in clear**, so that a test can look at them: never serve a real login with the fake platform, and be careful with logs.
   */
  readonly requests: readonly RecordedRequest[];
  /**
   * Sends an event to the handler of an application's webhook events, with a signature like the platform's.
   *
   * @param handler The function that answers the request, or the address to send it to.
   * @param type The type of the event, such as `APPLICATION_DEAUTHORIZED`, or `PING`.
   * @returns The response of the handler.
   * @throws {TypeError} If an option is unknown or wrong, or names no user, guild or application of the platform.
   * @throws {Error} With `checkFirst`, if the handler fails the check.
   */
  sendWebhookEvent(
    handler: FakeWebhookHandler,
    type: string,
    options?: FakeWebhookEvent,
  ): Promise<Response>;
  /**
   * Returns the public key that verifies the webhook events for an application, in 64 hexadecimal digits. It is made of the
   * client id, and so are its signatures: anybody can forge them.
   *
   * @param clientId The application. The default is the first one.
   * @throws {TypeError} If there is no such application.
   */
  webhookPublicKey(clientId?: string): Promise<string>;
  /**
   * Moves the platform's clock forward, so that codes, tokens and rate limits expire without a wait.
   * Clients measure the waits that they remember in real time.
   *
   * @param milliseconds The time to add, not negative.
   * @throws {RangeError} If `milliseconds` is negative or not finite.
   */
  advance(milliseconds: number): void;
  /** Returns the time on the platform's clock, in milliseconds since the epoch. */
  now(): number;
}
