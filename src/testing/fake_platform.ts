/**
 * The interface of the fake platform.
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
  /** The base URLs, for the code under test. */
  readonly platform: TextPlatform;
  /**
   * Responds to a request. Pass it as the `fetch` of the code under test. It needs no `this`.
   *
   * @throws The reason of the `AbortSignal`, if that aborts.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /**
   * Responds to a request, as a handler for `Deno.serve`, Hono, a Worker, or any other server of fetch handlers. It needs no `this`.
   * It accepts every host. {@link nodeListener} and the command accept only the hosts of this machine.
   */
  readonly handler: (request: Request) => Promise<Response>;
  /**
   * Consents as a user does on the consent page. It sends no request: `requests` does not list it, and `failNext` does not
   * change it.
   *
   * @returns The target of the redirect after the consent page. For a wrong authorize URL, for example with an unknown scope, it
   * contains the error.
   * @throws {TypeError} If `url` is not an authorize URL of this platform, or the application, the redirect URI, the user or an option
   * is unknown.
   * @throws {Error} If the user is not allowed to add the application to the guild, or `guildId` differs from the `guild_id` of a URL
   * with `disable_guild_select=true`.
   */
  authorize(url: string | URL, consent?: FakeConsent): Promise<string>;
  /**
   * Refuses as a user does with “Cancel” on the consent page.
   *
   * @returns The target of the redirect after the consent page.
   * @throws {TypeError} If `url` is not an authorize URL of this platform, or has no redirect URI.
   */
  deny(url: string | URL): Promise<string>;
  /**
   * Consents as a user does to an Activity. Its embedded SDK gets the code without a redirect. The exchange must leave
   * `redirect_uri` out. As on the real platform, the application must still have a redirect URI.
   *
   * @returns The code.
   * @throws {TypeError} If the user, the application or an option is unknown, or the platform refuses the scopes. The message has
   * the reason.
   */
  authorizeActivity(consent?: FakeActivityConsent): Promise<string>;
  /**
   * Logs a user in through the routes of an application, as a browser does: opens the login, consents, and opens the callback.
   *
   * @param handler The fetch handler of the application, such as `Login.handle`.
   * @throws {TypeError} If an option is unknown or wrong.
   * @throws {Error} If the application does not redirect to the consent page, or its callback does not end in a redirect.
   */
  login(handler: FakeLoginHandler, options?: FakeLoginOptions): Promise<FakeLogin>;
  /**
   * Opens a browser in front of an application. It follows redirects to the last page, and decides on the consent page by itself.
   *
   * @param handler The fetch handler of the application, such as `Login.handle`, or `fetch` for an application on a port.
   * @throws {TypeError} If an option is unknown or wrong, or `as` is not a user of the platform.
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
   * Consents as a user does with the code of a device, on the page at `verification_uri`.
   *
   * @param userCode The `user_code` of the device, in upper or lower case. Spaces and hyphens are ignored.
   * @param consent The user.
   * @throws {TypeError} If no device waits with this code, or the user or an option is unknown.
   */
  authorizeDevice(userCode: string, consent?: Pick<FakeConsent, "as">): Promise<void>;
  /**
   * Refuses as a user does with the code of a device and “Cancel”.
   *
   * @param userCode The `user_code` of the device.
   * @throws {TypeError} If no device waits with this code.
   */
  denyDevice(userCode: string): Promise<void>;
  /**
   * Issues a token without a login, for a test of later steps.
   *
   * @throws {TypeError} If the user, the application, a scope or an option is unknown.
   */
  issueToken(request?: FakeTokenRequest): TokenPayload;
  /**
   * Removes an application as a user does in the settings: ends all its tokens for this user, on all devices, and sends
   * `APPLICATION_DEAUTHORIZED` to the application's `webhookEvents`.
   *
   * @returns The response to the event; `null` without an event: the application has no `webhookEvents`, or the user had not
   * authorized it.
   * @throws {TypeError} If the user, the application or an option is unknown.
   * @throws The error of the handler.
   */
  removeApplication(removal?: Pick<FakeTokenRequest, "as" | "clientId">): Promise<Response | null>;
  /**
   * Changes users, guilds and members during a test. The next request sees the change. Absent fields stay as they are, and `null`
   * removes a member or a bot. A member may have roles that the guild lacks.
   *
   * @throws {TypeError} If a name is unknown, a value has the wrong type, or values contradict each other. The world stays unchanged.
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
   * Makes the next matching request fail, or several. The oldest matching failure comes first.
   *
   * @returns A function that cancels a failure before it happens.
   * @throws {TypeError} If an option is unknown or wrong, or contradicts another, or `as` is not a user of the platform.
   */
  failNext(failure: Failure): () => void;
  /**
   * The latest requests, oldest first: at most 10,000 or `maxRequests`, and about 32 MiB. **They contain codes, tokens and client
   * secrets in clear**, for assertions: never serve a real login with the fake platform, and be careful with logs.
   */
  readonly requests: readonly RecordedRequest[];
  /**
   * Sends a webhook event to an application, with a signature like the platform's.
   *
   * @param handler The fetch handler of the webhook events, or its address.
   * @param type The type of the event, such as `APPLICATION_DEAUTHORIZED`, or `PING`.
   * @returns The response of the handler.
   * @throws {TypeError} If an option is unknown or wrong, or names an unknown user, guild or application.
   * @throws {Error} With `checkFirst`, if the handler fails the check.
   */
  sendWebhookEvent(
    handler: FakeWebhookHandler,
    type: string,
    options?: FakeWebhookEvent,
  ): Promise<Response>;
  /**
   * Returns the public key of an application's webhook events, in 64 hexadecimal digits. The key pair is derived from the
   * client id: everyone can forge its signatures.
   *
   * @param clientId The application. The default is the first one.
   * @throws {TypeError} If there is no such application.
   */
  webhookPublicKey(clientId?: string): Promise<string>;
  /**
   * Moves the platform's clock forward: codes, tokens and rate limits expire without a wait. The clients' own waits
   * still take real time.
   *
   * @param milliseconds The time to add, 0 or more.
   * @throws {RangeError} If `milliseconds` is negative or not finite.
   */
  advance(milliseconds: number): void;
  /** Returns the time on the platform's clock, in milliseconds since the epoch. */
  now(): number;
}
