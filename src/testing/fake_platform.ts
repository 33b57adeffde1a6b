/**
 * The options of the fake platform, and what it offers.
 *
 * @module
 */

import type { CookieJar } from "./person/cookie_jar.ts";
import type { TextPlatform } from "../links/platform.ts";
import type { ConnectionPayload } from "./world/payloads/connection.ts";
import type { GuildPayload, RolePayload } from "./world/payloads/guild.ts";
import type { MemberPayload } from "./world/payloads/member.ts";
import type { TokenPayload } from "./world/payloads/token.ts";
import type { UserPayload } from "./world/payloads/user.ts";

/** An application registered at the fake platform. */
export interface FakeApplication {
  /** The client id, a snowflake. */
  readonly id: string;
  /**
   * The name people read on the consent page.
   * @default "Fake application"
   */
  readonly name?: string;
  /** The client secret; `null` makes it a public client, which must use PKCE. */
  readonly secret: string | null;
  /** The redirect URIs that may be used, each compared character by character. */
  readonly redirectUris?: readonly string[];
  /** The bot's token, for `Authorization: Bot …`. Without it no request can be made as the bot. */
  readonly botToken?: string;
  /**
   * The id of the user whom the client credentials grant acts for.
   * @default the first user
   */
  readonly ownerId?: string;
  /** The icon hash. */
  readonly icon?: string | null;
  /** A sentence about the application. */
  readonly description?: string;
  /**
   * The default install settings: what an authorize link asks for that names nothing but the `client_id`.
   * @default `applications.commands`, and `bot` if there is a `botToken`, with no permissions
   */
  readonly installParams?: FakeInstallParams;
  /**
   * Where the platform sends `APPLICATION_DEAUTHORIZED` when a person's authorization ends: by a revocation, or by
   * {@link FakePlatform.removeApplication}. Each event is sent once.
   * @default nowhere
   */
  readonly webhookEvents?: FakeWebhookHandler;
}

/** The default install settings of an application. */
export interface FakeInstallParams {
  /** `applications.commands`, `bot`, or both. */
  readonly scopes: readonly string[];
  /**
   * The permissions of the bot, as a decimal string.
   * @default "0"
   */
  readonly permissions?: string;
}

/** A user of the fake platform. Only `id` and `username` must be given. */
export interface FakeUser extends Partial<UserPayload> {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name; unique. */
  readonly username: string;
  /**
   * The email address, answered with the `email` scope.
   * @default the username at `example.com`
   */
  readonly email?: string | null;
  /**
   * The kind of subscription. The platform answers it to applications that have `identify.premium`; to
   * every other it answers 0, and so does the fake.
   * @default 0
   */
  readonly premium_type?: number;
  /** The user's accounts elsewhere, answered with the `connections` scope. */
  readonly connections?: readonly FakeConnection[];
  /** Fields laid over the answer as they are, for fields nobody has typed yet or with wrong types. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A user's account elsewhere. What is not given is filled in. */
export interface FakeConnection extends Partial<ConnectionPayload> {
  /** The id of the account on the other service. */
  readonly id: string;
  /** The account's name there. */
  readonly name: string;
  /** The service, for example `github`. */
  readonly type: string;
}

/** One user's membership of a guild. */
export interface FakeMember extends Partial<Omit<MemberPayload, "user">> {
  /**
   * The user's permissions in the guild, a decimal string, answered as given.
   * @default every permission for the owner, what a new guild gives to everyone for others
   */
  readonly permissions?: string;
  /**
   * Whether the user owns the guild.
   * @default whether `owner_id` of the guild names the user
   */
  readonly owner?: boolean;
}

/** A guild of the fake platform. Only `id` and `name` must be given. */
export interface FakeGuild extends Partial<Omit<GuildPayload, "roles">> {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /**
   * The roles, `@everyone` among them, whose id is that of the guild.
   * @default `@everyone` alone
   */
  readonly roles?: readonly FakeRole[];
  /** The members by user id. */
  readonly members?: Readonly<Record<string, FakeMember>>;
  /**
   * The bots that are in the guild: permissions as a decimal string, by application id. More join when
   * somebody consents to the `bot` scope.
   */
  readonly bots?: Readonly<Record<string, string>>;
  /** Fields laid over the answers as they are, for fields nobody has typed yet or with wrong types. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A role of a guild. Only `id` and `name` must be given. */
export interface FakeRole extends Partial<RolePayload> {
  /** The role's id, a snowflake. */
  readonly id: string;
  /** The role's name. */
  readonly name: string;
}

/** How many requests are let through before the platform answers 429. */
export interface FakeRateLimit {
  /**
   * Requests per window.
   * @default 1000
   */
  readonly limit?: number;
  /**
   * The window in milliseconds, on the platform's clock.
   * @default 1000
   */
  readonly windowMs?: number;
}

/** The rate limits of the fake platform. */
export interface FakeRateLimits extends FakeRateLimit {
  /** Other limits for some routes, by method and path template: `"GET /users/@me/guilds"`, `"GET /guilds/{guild_id}"`. */
  readonly routes?: Readonly<Record<string, FakeRateLimit>>;
  /** A limit over all the routes of one token together; none unless given. */
  readonly global?: FakeRateLimit;
}

/** What {@link createFakePlatform} takes. Everything has a default. */
export interface FakePlatformOptions {
  /**
   * The registered applications.
   * @default one: {@link sampleApplication}
   */
  readonly applications?: readonly FakeApplication[];
  /**
   * The users.
   * @default {@link sampleUsers}
   */
  readonly users?: readonly FakeUser[];
  /**
   * The guilds.
   * @default {@link sampleGuilds}, or none when `users` are given, since its members are the sample users
   */
  readonly guilds?: readonly FakeGuild[];
  /**
   * Where the platform says it lives: scheme, host and port. Requests are routed by path alone, so any
   * server may hand its requests to `fetch`.
   * @default "https://platform.test"
   */
  readonly origin?: string;
  /**
   * The clock, in milliseconds since the epoch.
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Whether API requests without a `User-Agent` are refused, as the real edge does. Requests from a
   * browser pass: it sets its own.
   * @default true
   */
  readonly requireUserAgent?: boolean;
  /**
   * The lifetime of an authorization code in seconds.
   * @default 100
   */
  readonly codeLifetime?: number;
  /**
   * The lifetime of an access token in seconds.
   * @default 604800
   */
  readonly tokenLifetime?: number;
  /**
   * The rate limits. With `{}` they are the platform's, as far as those are known: `GET /users/@me/guilds` once a second
   * for each token. `routes` changes that one too.
   * @default 1000 requests a second on every route
   */
  readonly rateLimits?: FakeRateLimits;
  /** Scopes to accept beside those that the platform documents. */
  readonly extraScopes?: readonly string[];
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

/** An application's handler; `null` where it has no answer, as `Login.handle` gives it. */
export type FakeLoginHandler = (request: Request) => Response | null | Promise<Response | null>;

/** What {@link FakePlatform.login} takes. Everything has a default. */
export interface FakeLoginOptions extends FakeConsent {
  /**
   * The page to go to after the login; it is passed on as `returnTo`.
   * @default {none is passed on}
   */
  readonly returnTo?: string;
  /**
   * The address that begins a login. It must be of the site that the redirect URI belongs to.
   * @default "https://app.example/login"
   */
  readonly loginUrl?: string | URL;
  /**
   * The cookies that the browser has already.
   * @default {none}
   */
  readonly jar?: CookieJar;
}

/** A browser after a login. */
export interface FakeLogin {
  /** Its cookies: `jar.request(url)` makes a request with them. */
  readonly jar: CookieJar;
  /** Where the callback has sent it. */
  readonly url: string;
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

/** What receives webhook events: a function that answers the request, or the address to send it to. */
export type FakeWebhookHandler =
  | ((request: Request) => Response | Promise<Response>)
  | string
  | URL;

/** What is in an event of {@link FakePlatform.sendWebhookEvent}, and how it is sent. Everything has a default. */
export interface FakeWebhookEvent {
  /**
   * The id or the username of whom the event is about.
   * @default the first user
   */
  readonly as?: string;
  /**
   * The scopes that were authorized.
   * @default ["identify"]
   */
  readonly scopes?: readonly string[];
  /** The guild that the application was authorized for. Without it, it was authorized for the user's account. */
  readonly guildId?: string;
  /**
   * What the event holds, in the place of what the options above make.
   * @default the user, and what was authorized, for the events about that; else nothing
   */
  readonly data?: unknown;
  /**
   * The application that receives it.
   * @default the first application
   */
  readonly clientId?: string;
  /**
   * Whether the signature is right. The platform sends wrong ones now and then, which must be answered with 401.
   * @default "right"
   */
  readonly signature?: "right" | "wrong" | "missing";
  /**
   * How many seconds ago it was signed.
   * @default 0
   */
  readonly age?: number;
  /**
   * Whether to check the handler first, as the platform does when its address is saved: it must answer a wrong signature with
   * 401, and a `PING` with 204 and a `Content-Type`.
   * @default false
   */
  readonly checkFirst?: boolean;
}

/**
 * What goes wrong, and with which requests. Without `status`, `body`, `edge`, `cut: "before"` and `hang` the platform
 * answers as usual, only later (`delay`), with other `headers`, or with a body that is `slow`, `endless` or cut short.
 */
export interface Failure {
  /** Only requests with this method. */
  readonly method?: string;
  /**
   * Only requests to this path: exactly the path of the request, or that below the API's base, such as
   * `/users/@me`. A regular expression is tried on the whole path.
   */
  readonly path?: string | RegExp;
  /**
   * How many requests fail.
   * @default 1
   */
  readonly times?: number;
  /**
   * The status of the answer, 200–599.
   * @default 200 when there is a `body`
   */
  readonly status?: number;
  /**
   * The body of the answer: a string is sent as it is (HTML, half of a JSON text, nothing), anything else
   * as JSON.
   * @default what the platform sends with this status
   */
  readonly body?: unknown;
  /** Headers of the answer. When given, `Retry-After` is not added to a 429. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds to wait first, in real time. */
  readonly delay?: number;
  /**
   * Cuts the connection: `"before"` the answer, so that `fetch` rejects, or in the middle of the `"body"`,
   * so that reading it rejects. {@link nodeListener} closes the connection for both; another HTTP
   * server does for `"before"` what it does when its handler fails.
   */
  readonly cut?: "before" | "body";
  /** Never answers: the call ends when its signal aborts. */
  readonly hang?: boolean;
  /**
   * Answers as the edge in front of the platform does when it blocks a client or an address: with an HTML page, and
   * without the headers of the API. Its `status` is 403 unless given; 429 is usual too.
   * @default false
   */
  readonly edge?: boolean;
  /** Sends the body in ten pieces, with so many milliseconds before each, in real time. */
  readonly slow?: number;
  /**
   * Never ends the body: spaces follow what the platform answers, for as long as somebody reads.
   * @default false
   */
  readonly endless?: boolean;
}

/** A request that reached the fake platform, with its secrets in clear. */
export interface RecordedRequest {
  /** The method, in capitals. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The path of the URL. */
  readonly path: string;
  /** The query parameters; the last of a repeated one. */
  readonly query: Readonly<Record<string, string>>;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body: an object of strings for a form, the value for JSON, the text for anything else, `null` when
   * there is none.
   */
  readonly body: unknown;
  /** The status of the answer; `null` until it is sent, and when the connection was cut instead. */
  readonly status: number | null;
}

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
