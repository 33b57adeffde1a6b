/**
 * The request handler of the demo: login, callback, your user and guilds, one guild, invite builder.
 *
 * @module
 */

import {
  ApiError,
  generateState,
  GuildpassError,
  LoginRequiredError,
  MemoryStore,
  OAuthError,
  StateMismatchError,
  type StateMismatchReason,
  type TextPlatform,
  type TokenSource,
  User,
} from "../../mod.ts";
import { Login, LoginError, type Session, type SessionUser } from "../../src/login/mod.ts";
import type { FakePlatform } from "../../src/testing/mod.ts";
import { inviteBuilderPage } from "./invite_builder.ts";
import { serveModule } from "./modules.ts";
import { Visits } from "./steps.ts";
import {
  type BotView,
  guildPage,
  homePage,
  notice,
  profilePage,
  wrongAddressPage,
} from "./pages.ts";

/** The settings of the demo. */
export interface DemoSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The token of the bot that reads the details of guilds. The platform shows these to bots only. */
  readonly botToken: string | null;
  readonly redirectUri: string;
  readonly platform: TextPlatform;
  /** A fake platform that receives all requests. The demo serves its pages too. */
  readonly fake?: FakePlatform;
  /** Receives the errors that no visitor has caused. @default {console.error} */
  readonly log?: (error: unknown) => void;
}

/** Creates the request handler of the demo. It keeps sessions in memory. */
export function createDemo(settings: DemoSettings): (request: Request) => Promise<Response> {
  const { clientId, clientSecret, redirectUri, platform, fake, log = console.error } = settings;
  const { origin, host } = new URL(redirectUri);
  const visits = new Visits();
  const send: typeof fetch = (input, init) => (fake?.fetch ?? fetch)(input, init);
  const client = { platform, fetch: visits.recorded(send) };
  const login = new Login({
    ...client,
    clientId,
    clientSecret,
    scope: ["identify", "guilds"],
    // A random secret is enough: the sessions in memory end with the process too.
    secret: generateState(),
    redirectUri,
    store: new MemoryStore(),
    onError: (error) => failurePage(error, log),
  });

  const routes: Readonly<Record<string, Handler>> = {
    "GET /": showHome,
    "GET /guild": showGuild,
    "GET /invite": () => inviteBuilderPage({ authorizeUrl: platform.authorizeUrl, clientId }),
    // The fake platform leads here after an invitation.
    "GET /oauth2/authorized": () => notice("Done", "The application was added"),
  };

  return (request) => visits.handle(request, () => handle(request));

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    // With DNS rebinding, an attacker points the name of their own site at this machine. Such a request has that name.
    if (url.host !== host) {
      return url.hostname === "127.0.0.1"
        ? Response.redirect(origin + url.pathname + url.search)
        : wrongAddressPage(origin);
    }
    const response = await login.handle(request); // GET /login, GET /callback, POST /logout
    if (response) return response;
    if (request.method === "POST" && url.pathname === "/replay") return await replay(request);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = routes[`${method} ${url.pathname}`];
    if (!route && fake && isPlatformPath(url)) return await fake.fetch(request);
    if (!route) {
      return await serveModule(url.pathname) ??
        notice("Not found", "This page doesn't exist", 404);
    }
    try {
      return await route({ url, session: await login.session(request) });
    } catch (error) {
      // The person may have removed the application from their account.
      if (!isTokenRefused(error)) return failurePage(error, log);
      // The application decides this, so it is also right if a link on another site led here.
      const ended = await login.end(request, { allowCrossSite: true });
      const response = homePage({ isFake: Boolean(fake), hasEnded: true });
      for (const cookie of ended.headers.getSetCookie()) {
        response.headers.append("set-cookie", cookie);
      }
      return response;
    }
  }

  /** Opens the callback of the visit again, as a browser that did not begin the login. */
  async function replay(request: Request): Promise<Response> {
    const visit = visits.current;
    if (!login.allows(request) || !visit?.callback) return notice("Refused", "Log in first", 403);
    const headers = { cookie: "another=browser" };
    const response = await login.handle(new Request(visit.callback, { headers }));
    const { status = 500 } = response ?? {};
    visit.add({ kind: "replay", request: "GET /callback", fields: ["the same address"], status });
    return redirect("/?steps#steps");
  }

  async function showHome({ url, session }: Call): Promise<Response> {
    const isFake = Boolean(fake);
    const visit = visits.current;
    if (!session) return homePage({ isFake, hasEnded: false, steps: visit?.steps ?? [] });
    const guilds = await session.api.getUserGuilds();
    const filter = url.searchParams.get("filter") ?? "";
    const shown = { steps: visit?.steps ?? [], areStepsOpen: url.searchParams.has("steps") };
    return profilePage(session.user, guilds, { isFake, filter, ...shown });
  }

  async function showGuild({ url, session }: Call): Promise<Response> {
    if (!session) return redirect("/");
    const id = url.searchParams.get("id") ?? "";
    // Only a guild of the person: the bot may be in others, which this person must not see.
    const guilds = await session.api.getUserGuilds({ fresh: true });
    const entry = guilds.find((guild) => guild.id === id);
    if (!entry) return notice("Not found", "You aren't in that guild", 404);
    const view = await readAsBot(id);
    return guildPage(entry, view, visits.current?.steps);
  }

  /** Reads a guild with the bot's token. */
  async function readAsBot(id: string): Promise<BotView> {
    if (!settings.botToken) return { kind: "unknown", note: "Set DISCORD_BOT_TOKEN to see more" };
    const bot = new User(settings.botToken, { ...client, tokenType: "Bot" });
    try {
      return { kind: "member", guild: await bot.getGuild(id, true) };
    } catch (error) {
      const status = error instanceof ApiError ? error.httpStatus : 0;
      if (status === 403 || status === 404) return { kind: "missing" };
      if (status !== 401) throw error;
      const note = "The platform rejects DISCORD_BOT_TOKEN. Set a valid one to see more";
      return { kind: "unknown", note };
    }
  }
}

type Handler = (call: Call) => Response | Promise<Response>;

interface Call {
  readonly url: URL;
  /** The session of the visitor, or `null`. */
  readonly session: Session<SessionUser, TokenSource<"identify" | "guilds">> | null;
}

/** Returns true if an address belongs to the fake platform. All others belong to the demo. */
function isPlatformPath({ pathname }: URL): boolean {
  return /^\/(activate$|(oauth2|api|cdn|\.well-known)\/)/.test(pathname);
}

function isTokenRefused(error: unknown): boolean {
  return error instanceof LoginRequiredError ||
    (error instanceof ApiError && error.httpStatus === 401);
}

/** Renders an error for the visitor. Its own message is for developers, and may contain text from the address. */
function failurePage(error: unknown, log: (error: unknown) => void): Response {
  if (error instanceof StateMismatchError) {
    return notice("This login can't be finished", mismatchTexts[error.reason], 400, true);
  }
  if (error instanceof LoginError && error.reason === "used") {
    return notice("This login can't be finished", "It was already tried", 400, true);
  }
  if (error instanceof LoginError && error.reason === "cross_site") {
    return notice("You weren't logged out", "Another site tried to log you out", 403);
  }
  if (error instanceof LoginError && error.reason === "refused_token") {
    const text =
      "The platform gave the demo access to your account, then took it back. Open Discord, remove this application " +
      "under User Settings > Authorized Apps, and log in again";
    return notice("The platform doesn't accept your login", text, 403, true);
  }
  if (error instanceof OAuthError && error.error === "access_denied") {
    return notice("You canceled the login", "Nothing was shared", 403, true);
  }
  log(error);
  if (error instanceof OAuthError) {
    return notice("The login didn't work", "The platform refused it", 400, true);
  }
  if (error instanceof GuildpassError) {
    const text = "It may be busy, so wait a moment. The terminal shows the error";
    return notice("The platform didn't respond as expected", text, 502, true);
  }
  return notice("Something went wrong", "The terminal shows the error", 500);
}

const mismatchTexts: Readonly<Record<StateMismatchReason, string>> = {
  no_expected_state:
    "It took too long, was already finished, or began in another browser. Or this browser blocks cookies",
  no_state: "Part of the address that you came back to is missing",
  different: "It began in another browser",
  no_issuer: "The address that you came back to doesn't name the platform",
  different_issuer: "You came back from a different platform than the one you were sent to",
};

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}
