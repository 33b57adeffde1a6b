/**
 * The demo as a request handler: login, callback, your user and guilds, one guild, invite builder.
 *
 * @module
 */

import {
  ApiError,
  AuthUrl,
  Bot,
  generateCodeVerifier,
  generateState,
  GuildpassError,
  OAuthError,
  parseCallback,
  type PermissionName,
  Permissions,
  PlatformApi,
  type Scope,
  StateMismatchError,
  type StateMismatchReason,
  type TextPlatform,
  type TokenObj,
  User,
} from "../../mod.ts";
import type { FakePlatform } from "../../src/testing/mod.ts";
import { readCookie, setCookie } from "../shared/cookies.ts";
import {
  guildPage,
  homePage,
  icon,
  invitePage,
  messagePage,
  profilePage,
  stylesheet,
} from "./pages.ts";

/** Where the demo runs, and as which application. */
export interface DemoSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Reads the details of guilds, which the platform shows only to bots. */
  readonly botToken: string | null;
  readonly redirectUri: string;
  readonly platform: TextPlatform;
  /** A fake platform that gets all requests; the demo serves its pages too. */
  readonly fake?: FakePlatform;
  /** Receives the errors that the platform caused. @default {console.error} */
  readonly log?: (error: unknown) => void;
}

const scope: readonly Scope[] = ["identify", "guilds"];

/** How long somebody may take on the consent page, in seconds. */
const attemptLifetime = 600;

/** Seconds that the cookie of a session lives if the platform did not say when the token ends. */
const sessionLifetime = 24 * 60 * 60;

/** A login that has been started, kept on the server until the browser comes back. */
interface Attempt {
  readonly state: string;
  readonly codeVerifier: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Makes the demo's request handler, which keeps logins and sessions in memory. */
export function createDemo(settings: DemoSettings): (request: Request) => Promise<Response> {
  const { clientId, clientSecret, redirectUri, platform, fake } = settings;
  const { origin, host } = new URL(redirectUri);
  const client = { platform, ...(fake && { fetch: fake.fetch }) };
  const authUrl = new AuthUrl(clientId, scope, redirectUri, undefined, { platform });
  const api = new PlatformApi(clientId, clientSecret, scope, redirectUri, client);
  const attempts = new Map<string, Attempt>();
  const sessions = new Map<string, TokenObj>();

  const routes: Readonly<Record<string, Handler>> = {
    "GET /": endIfTokenIsRefused(home),
    "GET /login": login,
    "GET /callback": callback,
    "POST /logout": logout,
    "GET /guild": endIfTokenIsRefused(guild),
    "GET /invite": invite,
    "GET /style.css": () => asset(stylesheet, "text/css"),
    "GET /icon.svg": () => asset(icon, "image/svg+xml"),
  };

  return async (request) => {
    const url = new URL(request.url);
    // Somebody can point the name of their own site at this machine (DNS rebinding); such requests have that name.
    if (url.host !== host) {
      return url.hostname === "127.0.0.1"
        ? Response.redirect(origin + url.pathname + url.search)
        : secured(page(messagePage("Wrong address", `Open ${origin}`), 421));
    }
    const route = routes[`${request.method} ${url.pathname}`];
    if (!route && fake) return fake.fetch(request);
    if (!route) return secured(page(messagePage("Not found", "There is no such page here"), 404));
    try {
      return secured(await route({ request, url, token: tokenOf(request) }));
    } catch (error) {
      return secured(failure(error, settings.log ?? console.error));
    }
  };

  /** The token of whoever sent a request, unless it has expired. */
  function tokenOf(request: Request): TokenObj | undefined {
    const id = readCookie(request, "session") ?? "";
    const token = sessions.get(id);
    if (token && (token.expires_at ?? Infinity) > Date.now()) return token;
    sessions.delete(id);
    return undefined;
  }

  /** Deletes the session of whoever sent a request, and returns the `Set-Cookie` header that deletes its cookie. */
  function endSession(request: Request): string {
    sessions.delete(readCookie(request, "session") ?? "");
    return cookie("session", "", 0);
  }

  /** Ends the session when the platform refuses its token: somebody may have removed the application from their account. */
  function endIfTokenIsRefused(handler: Handler): Handler {
    return async (call) => {
      try {
        return await handler(call);
      } catch (error) {
        if (!(error instanceof ApiError && error.httpStatus === 401)) throw error;
        return redirect("/?ended", endSession(call.request));
      }
    };
  }

  async function home({ url, token }: Call): Promise<Response> {
    if (!token) {
      return page(homePage({ isFake: Boolean(fake), hasEnded: url.searchParams.has("ended") }));
    }
    const user = new User(token, client);
    const [me, guilds] = await Promise.all([user.getCurrentUser(), user.getUserGuilds()]);
    return page(profilePage(me, guilds));
  }

  async function login(): Promise<Response> {
    const attempt = {
      state: generateState(),
      codeVerifier: generateCodeVerifier(),
      expiresAt: Date.now() + attemptLifetime * 1000,
    };
    const id = generateState();
    for (const [old, { expiresAt }] of attempts) {
      if (expiresAt < Date.now()) attempts.delete(old);
    }
    attempts.set(id, attempt);
    const link = await authUrl.makeUrl(attempt);
    return redirect(link, cookie("attempt", id, attemptLifetime, "/callback"));
  }

  async function callback({ request, url }: Call): Promise<Response> {
    const id = readCookie(request, "attempt") ?? "";
    const attempt = attempts.get(id);
    // An error needs the state too: anybody can link to this address with an error of their own in it.
    if (!url.searchParams.has("state")) throw new StateMismatchError("no_state");
    const { code } = parseCallback(url, { state: attempt?.state });
    attempts.delete(id);
    const codeVerifier = attempt?.codeVerifier;
    const token = await api.accessToken(code, { codeVerifier });
    endSession(request);
    const session = generateState();
    sessions.set(session, token);
    return redirect("/", cookie("session", session, token.expires_in ?? sessionLifetime));
  }

  function logout({ request }: Call): Response {
    // `Sec-Fetch-Site` comes first: pages with `Referrer-Policy: no-referrer` send `Origin: null` with their own forms.
    const site = request.headers.get("sec-fetch-site");
    const sender = request.headers.get("origin") ?? origin;
    const isOwnForm = site === null ? sender === origin : site === "same-origin";
    if (!isOwnForm) return page(messagePage("Refused", "That came from another site"), 403);
    return redirect("/", endSession(request));
  }

  async function guild({ url, token }: Call): Promise<Response> {
    if (!token) return redirect("/");
    const id = url.searchParams.get("id") ?? "";
    // Only a guild that the person is in: the bot may be in others, which this person must not see.
    const guilds = await new User(token, client).getUserGuilds();
    const entry = guilds.find((guild) => guild.id === id);
    if (!entry) return page(messagePage("Not found", "You are not in that guild"), 404);
    if (!settings.botToken) {
      return page(guildPage(entry, null, "Set DISCORD_BOT_TOKEN to see more"));
    }
    const bot = new User(settings.botToken, { ...client, tokenType: "Bot" });
    try {
      return page(guildPage(entry, await bot.getGuild(id, true), null));
    } catch (error) {
      if (!(error instanceof ApiError && [403, 404].includes(error.httpStatus))) throw error;
      return page(guildPage(entry, null, "The bot is not in this guild: invite it to see more"));
    }
  }

  async function invite({ url, token }: Call): Promise<Response> {
    const ticked = url.searchParams.getAll("p") as PermissionName[];
    const permissions = new Permissions(ticked);
    const guildId = url.searchParams.get("guild_id") ?? undefined;
    const bot = new Bot(clientId, permissions, { platform });
    const link = await bot.url(guildId ? { guildId } : {});
    return page(invitePage(permissions, link, guildId, Boolean(token)));
  }
}

type Handler = (call: Call) => Response | Promise<Response>;

interface Call {
  readonly request: Request;
  readonly url: URL;
  /** Of whoever is logged in. */
  readonly token: TokenObj | undefined;
}

/** Tells the person what happened. The error's own message is for developers, and may hold text from the address. */
function failure(error: unknown, log: (error: unknown) => void): Response {
  if (error instanceof StateMismatchError) {
    return page(messagePage("This login can't be finished", mismatches[error.reason], true), 400);
  }
  if (error instanceof OAuthError && error.error === "access_denied") {
    return page(messagePage("You said no", "That is fine: nothing was shared", true), 400);
  }
  if (error instanceof OAuthError) {
    log(error);
    return page(messagePage("The login did not work", "The platform refused it", true), 400);
  }
  if (error instanceof TypeError) {
    const text = "The address has a permission or a guild that does not exist";
    return page(messagePage("Bad request", text), 400);
  }
  if (!(error instanceof GuildpassError)) throw error;
  log(error);
  const text = "It may be busy. Wait a little; the terminal says more";
  return page(messagePage("The platform did not answer as expected", text, true), 502);
}

const mismatches: Readonly<Record<StateMismatchReason, string>> = {
  no_expected_state: "It took too long or was finished before, or this browser blocks cookies",
  no_state: "Something is missing in the address that you came back with",
  different: "It was started in another tab or browser",
  no_issuer: "The address that you came back with does not say where from",
  different_issuer: "You came back from another place than you were sent to",
};

function page(html: string, status = 200): Response {
  return new Response(html, { status, headers: { "content-type": "text/html; charset=utf-8" } });
}

function asset(body: string, type: string): Response {
  return new Response(body, { headers: { "content-type": type, "cache-control": "max-age=300" } });
}

function redirect(location: string, setCookie?: string): Response {
  const headers = new Headers({ location });
  if (setCookie) headers.set("set-cookie", setCookie);
  return new Response(null, { status: 303, headers });
}

/** Without `Secure`, since the demo runs on plain HTTP and Safari would refuse the cookie; a real site sets it. */
function cookie(name: string, value: string, maxAge: number, path = "/"): string {
  return setCookie(name, value, { maxAge, path, secure: false });
}

function secured(response: Response): Response {
  const { headers } = response;
  headers.set(
    "content-security-policy",
    "default-src 'none'; style-src 'self'; img-src 'self' https://cdn.discordapp.com; form-action 'self'; " +
      "frame-ancestors 'none'; base-uri 'none'",
  );
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return response;
}
