/**
 * The demo as a function from a request to an answer: login, callback, your user and guilds, one guild, invite builder.
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
  type Platform,
  PlatformApi,
  type Scope,
  StateMismatchError,
  type TokenObj,
  User,
} from "../../mod.ts";
import type { FakePlatform } from "../../src/testing/mod.ts";
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
  /** Opens the details of guilds; the platform shows them to bots only. */
  readonly botToken: string | null;
  readonly redirectUri: string;
  readonly platform: Platform;
  /** The fake platform to serve beside the demo, and to send all requests to. */
  readonly fake?: FakePlatform;
  /** Told what the platform did wrong. @default {console.error} */
  readonly log?: (error: unknown) => void;
}

const scope: readonly Scope[] = ["identify", "guilds"];
const attemptLifetime = 10 * 60_000;

/** A login that has been started, kept on the server until the browser comes back. */
interface Attempt {
  readonly state: string;
  readonly codeVerifier: string;
  readonly expiresAt: number;
}

/** Makes the demo's request handler. Logins and sessions live in its memory. */
export function createDemo(settings: DemoSettings): (request: Request) => Promise<Response> {
  const { clientId, clientSecret, redirectUri, platform, fake } = settings;
  const { origin, host } = new URL(redirectUri);
  const client = { platform, ...(fake && { fetch: fake.fetch }) };
  const authUrl = new AuthUrl(clientId, scope, redirectUri, undefined, { platform });
  const api = new PlatformApi(clientId, clientSecret, scope, redirectUri, client);
  const attempts = new Map<string, Attempt>();
  const sessions = new Map<string, TokenObj>();

  const routes: Readonly<Record<string, Handler>> = {
    "GET /": whileTokenLives(home),
    "GET /login": login,
    "GET /callback": callback,
    "POST /logout": logout,
    "GET /guild": whileTokenLives(guild),
    "GET /invite": invite,
    "GET /style.css": () => Promise.resolve(asset(stylesheet, "text/css")),
    "GET /icon.svg": () => Promise.resolve(asset(icon, "image/svg+xml")),
  };

  return async (request) => {
    const url = new URL(request.url);
    // A page elsewhere whose name was pointed at this machine would send its own name here.
    if (url.host !== host) {
      return url.hostname === "127.0.0.1"
        ? Response.redirect(origin + url.pathname + url.search)
        : secured(html(messagePage("Wrong address", `Open ${origin}`), 421));
    }
    const route = routes[`${request.method} ${url.pathname}`];
    if (!route && fake) return fake.fetch(request);
    if (!route) return secured(html(messagePage("Not found", "There is no such page here"), 404));
    const cookies = readCookies(request);
    const call = { request, url, cookies, session: sessionOf(cookies) };
    try {
      return secured(await route(call));
    } catch (error) {
      return secured(failure(error, settings.log ?? console.error));
    }
  };

  function sessionOf(cookies: ReadonlyMap<string, string>): TokenObj | undefined {
    const id = cookies.get("session") ?? "";
    const token = sessions.get(id);
    if (token && token.expires_at > Date.now()) return token;
    sessions.delete(id);
    return undefined;
  }

  /** Deletes the session of a browser, and gives the cookie that takes its own away. */
  function endSession(cookies: ReadonlyMap<string, string>): string {
    sessions.delete(cookies.get("session") ?? "");
    return cookie("session", "", "/", 0);
  }

  /** Ends the session when its token is refused, as after somebody took the application off their account. */
  function whileTokenLives(handler: Handler): Handler {
    return async (call) => {
      try {
        return await handler(call);
      } catch (error) {
        if (!(error instanceof ApiError && error.httpStatus === 401)) throw error;
        return redirect("/?ended", endSession(call.cookies));
      }
    };
  }

  async function home({ url, session }: Call): Promise<Response> {
    return html(
      session
        ? await profile(session)
        : homePage({ isFake: Boolean(fake), hasEnded: url.searchParams.has("ended") }),
    );
  }

  async function login(): Promise<Response> {
    const attempt = {
      state: generateState(),
      codeVerifier: generateCodeVerifier(),
      expiresAt: Date.now() + attemptLifetime,
    };
    const id = generateState();
    for (const [old, { expiresAt }] of attempts) {
      if (expiresAt < Date.now()) attempts.delete(old);
    }
    attempts.set(id, attempt);
    const link = await authUrl.makeUrl(attempt);
    return redirect(link, cookie("attempt", id, "/callback", attemptLifetime / 1000));
  }

  async function callback({ url, cookies }: Call): Promise<Response> {
    const id = cookies.get("attempt") ?? "";
    const attempt = attempts.get(id);
    // Even of an error: anybody can link to one.
    if (!url.searchParams.has("state")) throw new StateMismatchError();
    const { code } = parseCallback(url, { state: attempt?.state });
    attempts.delete(id);
    const codeVerifier = attempt?.codeVerifier;
    const token = await api.accessToken(code, { codeVerifier });
    endSession(cookies);
    const session = generateState();
    sessions.set(session, token);
    return redirect("/", cookie("session", session, "/", token.expires_in));
  }

  function logout({ request, cookies }: Call): Promise<Response> {
    // This first, as pages with `Referrer-Policy: no-referrer` send `Origin: null` with their own forms.
    const site = request.headers.get("sec-fetch-site");
    const from = request.headers.get("origin") ?? origin;
    if (site === null ? from !== origin : site !== "same-origin") {
      return Promise.resolve(html(messagePage("Refused", "That came from another site"), 403));
    }
    return Promise.resolve(redirect("/", endSession(cookies)));
  }

  async function profile(token: TokenObj): Promise<string> {
    const user = new User(token, client);
    const [me, guilds] = await Promise.all([user.getCurrentUser(), user.getUserGuilds()]);
    return profilePage(me, guilds, platform.cdnUrl);
  }

  async function guild({ url, session }: Call): Promise<Response> {
    if (!session) return redirect("/");
    const id = url.searchParams.get("id") ?? "";
    // Only a guild the person is in: the bot may be in others, which are none of their business.
    const entry = (await new User(session, client).getUserGuilds()).find((guild) =>
      guild.id === id
    );
    if (!entry) return html(messagePage("Not found", "You are not in that guild"), 404);
    if (!settings.botToken) {
      return html(guildPage(entry, null, "Set DISCORD_BOT_TOKEN to see more"));
    }
    const bot = new User(settings.botToken, { ...client, tokenType: "Bot" });
    try {
      return html(guildPage(entry, await bot.getGuild(id, true), null));
    } catch (error) {
      if (!(error instanceof GuildpassError)) throw error;
      return html(
        guildPage(
          entry,
          null,
          "The bot is not in this guild, so there is no more to see; invite it",
        ),
      );
    }
  }

  function invite({ url, session }: Call): Promise<Response> {
    const ticked = url.searchParams.getAll("p") as PermissionName[];
    const permissions = new Permissions(ticked);
    const guildId = url.searchParams.get("guild_id") ?? undefined;
    const bot = new Bot(clientId, permissions, { platform });
    return bot.url(guildId ? { guildId } : {}).then((link) =>
      html(invitePage(permissions, link, guildId, Boolean(session)))
    );
  }
}

type Handler = (call: Call) => Promise<Response>;

interface Call {
  readonly request: Request;
  readonly url: URL;
  readonly cookies: ReadonlyMap<string, string>;
  readonly session: TokenObj | undefined;
}

/** In words for the person who logs in: an error's own are for the developer, and may have come with the address. */
function failure(error: unknown, log: (error: unknown) => void): Response {
  if (error instanceof StateMismatchError) {
    const text = "It may be an old one, or of another tab or browser";
    return html(messagePage("That login is not this browser's", text, true), 400);
  }
  if (error instanceof OAuthError) {
    const [title, text] = error.error === "access_denied"
      ? ["You said no", "That is fine: nothing was shared"]
      : ["The login did not work", "The platform refused it"];
    return html(messagePage(title, text, true), 400);
  }
  if (error instanceof TypeError) {
    const text = "The address asks for a permission or a guild that there can't be";
    return html(messagePage("Bad request", text), 400);
  }
  if (!(error instanceof GuildpassError)) throw error;
  log(error);
  return html(messagePage("The platform did not answer as it should", error.message, true), 502);
}

function html(body: string, status = 200): Response {
  return new Response(body, { status, headers: { "content-type": "text/html; charset=utf-8" } });
}

function asset(body: string, type: string): Response {
  return new Response(body, { headers: { "content-type": type, "cache-control": "max-age=300" } });
}

function redirect(location: string, setCookie?: string): Response {
  const headers = new Headers({ location });
  if (setCookie) headers.set("set-cookie", setCookie);
  return new Response(null, { status: 303, headers });
}

/** `Secure` is missing because the demo is plain HTTP on this machine; a real site sets it. */
function cookie(name: string, value: string, path: string, maxAge: number): string {
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
}

function readCookies(request: Request): Map<string, string> {
  const pairs = (request.headers.get("cookie") ?? "").split(/; */);
  return new Map(pairs.map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  }));
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
