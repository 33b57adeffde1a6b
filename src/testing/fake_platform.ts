/**
 * The options of the fake platform, and what it offers.
 *
 * @module
 */

import type { TextPlatform } from "../links/platform.ts";
import type { Failure } from "./faults/failures.ts";
import type { FakeConsent } from "./person/decisions.ts";
import type { FakeTokenRequest } from "./person/issue_token.ts";
import type { FakeLogin, FakeLoginHandler, FakeLoginOptions } from "./person/login.ts";
import type { RecordedRequest } from "./server.ts";
import type { FakeWebhookEvent } from "./webhook_events.ts";
import type { FakeWebhookHandler } from "./world/application.ts";
import type { TokenPayload } from "./world/payloads/token.ts";

/** A whole platform in memory. */
export interface FakePlatform {
  /** Its base URLs: pass them to the code that you test. */
  readonly platform: TextPlatform;
  /**
   * Answers a request: pass it where a `fetch` is asked for, or serve it as an HTTP handler.
   *
   * It rejects when its `AbortSignal` aborts. It needs no `this`.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /**
   * Answers a request, as a handler for `Deno.serve`, Hono, a Worker and whatever else takes a function from `Request` to
   * `Response`. It needs no `this`.
   */
  readonly handler: (request: Request) => Promise<Response>;
  /**
   * Does what a person does on the consent page, and gives the URL the browser would be sent to.
   *
   * A URL the platform would answer with an error redirect (such as an unknown scope) gives that redirect.
   * It does not count as a request and is not touched by `failNext`.
   *
   * @throws {TypeError} When `url` is no authorize URL of this platform, or names an application or a redirect
   * URI it does not know, or the user is unknown.
   * @throws {Error} When the user may not add the application to the guild.
   */
  authorize(url: string | URL, consent?: FakeConsent): Promise<string>;
  /**
   * Does what a person does who clicks “Cancel”, and gives the URL the browser would be sent to.
   *
   * @throws {TypeError} When `url` is no authorize URL of this platform, or has no redirect URI.
   */
  deny(url: string | URL): Promise<string>;
  /**
   * Logs somebody in through the routes of an application, as a browser would: opens its login, consents, opens the callback.
   *
   * @param handler Answers the application's requests: its `fetch`, or `Login.handle`.
   * @throws {Error} When the application does not redirect to the consent page, or its callback does not end in a redirect.
   */
  login(handler: FakeLoginHandler, options?: FakeLoginOptions): Promise<FakeLogin>;
  /**
   * Does what a person does who types the code of a device into the page at `verification_uri` and authorizes it.
   *
   * @param userCode The `user_code` that the device got, in capitals or not, with or without its hyphen.
   * @param consent Who consents.
   * @throws {TypeError} When no device waits with this code, or the user is unknown.
   */
  authorizeDevice(userCode: string, consent?: Pick<FakeConsent, "as">): Promise<void>;
  /**
   * Does what a person does who types the code of a device in and clicks “Cancel”.
   *
   * @param userCode The `user_code` that the device got.
   * @throws {TypeError} When no device waits with this code.
   */
  denyDevice(userCode: string): Promise<void>;
  /**
   * Gives out a token without a login, for tests that begin after it.
   *
   * @throws {TypeError} When the user, the application or a scope is unknown.
   */
  issueToken(request?: FakeTokenRequest): TokenPayload;
  /**
   * Does what a person does who removes an application in their settings: every token that it has of them ends, on every
   * device, and `APPLICATION_DEAUTHORIZED` is sent to the application's `webhookEvents`.
   *
   * @returns The answer to the event; `null` when none was sent, since the application has no `webhookEvents`, or nothing of this
   * person.
   * @throws {TypeError} When the user or the application is unknown.
   * @throws What the handler throws.
   */
  removeApplication(removal?: Pick<FakeTokenRequest, "as" | "clientId">): Promise<Response | null>;
  /**
   * Makes the next matching request fail, or more of them. Failures are tried in the order they were
   * given; the first that matches is used.
   *
   * @returns A function that takes the failure back, as far as it has not happened.
   * @throws {TypeError} When the failure contradicts itself.
   */
  failNext(failure: Failure): () => void;
  /**
   * The requests received, oldest first. **They hold codes, tokens and client secrets in clear**, which is
   * what a test wants to look at: never serve a real login with the fake platform, and mind what you log.
   */
  readonly requests: readonly RecordedRequest[];
  /**
   * Sends an event to the handler of an application's webhook events, signed as the platform signs it, and gives the answer.
   *
   * @param handler The function that answers the request, or the address to send it to.
   * @param type The type of the event, such as `APPLICATION_DEAUTHORIZED`, or `PING`.
   * @throws {TypeError} When the options name no user, guild or application of the platform.
   * @throws {Error} With `checkFirst`, when the handler fails the check.
   */
  sendWebhookEvent(
    handler: FakeWebhookHandler,
    type: string,
    options?: FakeWebhookEvent,
  ): Promise<Response>;
  /**
   * The public key of an application, 64 hexadecimal digits, that proves its webhook events.
   *
   * @param clientId Which application; the first one unless given.
   * @throws {TypeError} When it names no application.
   */
  webhookPublicKey(clientId?: string): Promise<string>;
  /**
   * Moves the platform's clock on, so that codes, tokens and rate limits run out without waiting.
   *
   * @param milliseconds How far; not negative.
   * @throws {RangeError} When `milliseconds` is negative or not finite.
   */
  advance(milliseconds: number): void;
  /** The time on the platform's clock, in milliseconds since the epoch. */
  now(): number;
}
