/**
 * Moves applications of other login libraries to `Login`, as docs/moving.md says: people with an old session stay logged in, and
 * new logins belong to `Login`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { Auth, type AuthConfig } from "@auth/core";
import { encode } from "@auth/core/jwt";
import DiscordProvider from "@auth/core/providers/discord";
import { Discord, generateCodeVerifier, generateState } from "arctic";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import express from "express";
import session from "express-session";
import passport, { type Profile, type Strategy } from "passport";
import PassportDiscord from "passport-discord";
import { Scope, Strategy as PassportDiscordAuth } from "passport-discord-auth";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sendResponse, toRequest } from "../../../src/node.ts";
import { CookieJar } from "./support/cookie_jar.ts";
import { ada, appOrigin, consent, credentials, startPlatform } from "./support/platform.ts";

const secret = "a secret of these tests, long enough for it";

vi.stubEnv("AUTH_SECRET", secret);
vi.stubEnv("LOGIN_SECRET", "another secret of these tests, for the new login");
vi.stubEnv("DISCORD_CLIENT_ID", credentials.id);
vi.stubEnv("DISCORD_CLIENT_SECRET", credentials.secret);
vi.stubEnv("DISCORD_REDIRECT_URI", `${appOrigin}/discord/callback`);

// These read the environment when they are loaded.
const { discordIdOf, handle } = await import("./moving/either.ts");
const { getLogin, loginPaths } = await import("./moving/login.ts");

const oldCallback = `${appOrigin}/api/auth/callback/discord`;
await startPlatform([oldCallback, `${appOrigin}/discord/callback`]);

type Handler = (request: Request) => Promise<Response>;

/** An application with both logins. Its page `/` shows the Discord id of the visitor. */
interface Application {
  readonly open: Handler;
  /** Begins an old login, and returns the link to the platform. */
  begin(browser: Browser): Promise<string>;
}

/** A visitor of an application. */
class Browser {
  readonly jar = new CookieJar();

  constructor(readonly app: Application) {}

  async open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", this.jar.header);
    headers.set("origin", appOrigin);
    const request = new Request(new URL(path, appOrigin), { redirect: "manual", ...init, headers });
    return this.jar.keep(await this.app.open(request));
  }

  /** Logs in with the old library. */
  async logInAsBefore(): Promise<void> {
    const callback = await consent(await this.app.begin(this));
    expect((await this.open(callback.href)).status).toBe(302);
  }

  /** Logs in with `Login`. */
  async logIn(): Promise<void> {
    const start = await this.open("/discord/login");
    const callback = await consent(start.headers.get("location") ?? "");
    expect((await this.open(callback.href)).status).toBe(302);
  }

  async logOut(): Promise<void> {
    expect((await this.open("/discord/logout", { method: "POST" })).status).toBe(303);
  }

  /** Logs out as a script does, such as `SessionClient`. */
  async logOutByScript(): Promise<void> {
    const headers = { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };
    const init = { method: "POST", headers };
    expect((await this.open("/discord/logout", init)).status).toBe(204);
  }

  /** Returns the Discord id that the page shows, or `null`. */
  async shownId(): Promise<string | null> {
    return await (await this.open("/")).json();
  }
}

/** Creates an application that handles requests in the form of `fetch`, with the session code of the old library. */
function createApp(old: {
  respond(request: Request): Promise<Response>;
  readId(request: Request): Promise<unknown>;
  /** Ends the session, and returns `Set-Cookie` headers. */
  end(request: Request): Promise<string[]>;
}): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/auth/")) return await old.respond(request);
    const response = await getLogin().handle(request);
    if (request.method === "POST" && response && [204, 303].includes(response.status)) {
      for (const line of await old.end(request)) response.headers.append("set-cookie", line);
    }
    if (response) return response;
    const current = await getLogin().session(request);
    return Response.json(current?.user.id ?? await old.readId(request) ?? null);
  };
}

const authJs = (): Application => {
  const config: AuthConfig = {
    basePath: "/api/auth",
    secret,
    trustHost: true,
    providers: [
      DiscordProvider({
        clientId: credentials.id,
        clientSecret: credentials.secret,
        issuer: "https://discord.com",
      }),
    ],
    callbacks: {
      jwt: ({ token, account }) =>
        account ? { ...token, discordId: account.providerAccountId } : token,
    },
  };
  return {
    async open(request) {
      if (new URL(request.url).pathname.startsWith("/api/auth/")) {
        return await Auth(request, config);
      }
      return await handle(request) ?? Response.json(await discordIdOf(request) ?? null);
    },
    async begin(browser) {
      const { csrfToken } = await (await browser.open("/api/auth/csrf")).json();
      const body = new URLSearchParams({ csrfToken });
      const start = await browser.open("/api/auth/signin/discord", { method: "POST", body });
      return start.headers.get("location") ?? "";
    },
  };
};

const betterAuthApp = (): Application => {
  const auth = betterAuth({
    baseURL: appOrigin,
    secret,
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    socialProviders: {
      discord: {
        clientId: credentials.id,
        clientSecret: credentials.secret,
        prompt: "consent", // The person has already consented in another test.
      },
    },
    telemetry: { enabled: false },
  });
  return {
    open: createApp({
      respond: auth.handler,
      async readId({ headers }) {
        if (!await auth.api.getSession({ headers })) return null;
        const accounts = await auth.api.listUserAccounts({ headers });
        return accounts.find(({ providerId }) => providerId === "discord")?.accountId;
      },
      async end({ headers }) {
        const response = await auth.api.signOut({ headers, asResponse: true });
        return response.headers.getSetCookie();
      },
    }),
    async begin(browser) {
      const start = await browser.open("/api/auth/sign-in/social", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ provider: "discord" }),
      });
      return (await start.json()).url;
    },
  };
};

/** An application with arctic, and with sessions of its own in memory. */
const arcticApp = (): Application => {
  const discord = new Discord(credentials.id, credentials.secret, oldCallback);
  const [state, verifier] = [generateState(), generateCodeVerifier()];
  const sessions = new Map<string, string>();
  const sessionOf = (request: Request) =>
    /session=([\w-]+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? "";
  return {
    open: createApp({
      async respond(request) {
        const { searchParams } = new URL(request.url);
        expect(searchParams.get("state")).toBe(state);
        const code = searchParams.get("code") ?? "";
        const tokens = await discord.validateAuthorizationCode(code, verifier);
        const user = await fetch("https://discord.com/api/users/@me", {
          headers: { authorization: `Bearer ${tokens.accessToken()}` },
        });
        const id = crypto.randomUUID();
        sessions.set(id, (await user.json()).id);
        return new Response(null, {
          status: 302,
          headers: { location: "/", "set-cookie": `session=${id}; Path=/; Secure; HttpOnly` },
        });
      },
      readId: (request) => Promise.resolve(sessions.get(sessionOf(request))),
      end(request) {
        sessions.delete(sessionOf(request));
        return Promise.resolve(["session=; Path=/; Secure; HttpOnly; Max-Age=0"]);
      },
    }),
    begin: () =>
      Promise.resolve(discord.createAuthorizationURL(state, verifier, ["identify"]).href),
  };
};

type Verify = (
  access: string,
  refresh: string,
  profile: Profile,
  done: (error: unknown, user?: Express.User) => void,
) => void;

const servers: { close(): void; closeAllConnections(): void }[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** An Express application with a strategy for Passport. */
const passportApp = async (createStrategy: (verify: Verify) => Strategy): Promise<Application> => {
  const auth = new passport.Passport();
  auth.use("discord", createStrategy((_access, _refresh, profile, done) => done(null, profile)));
  auth.serializeUser((user, done) => done(null, user));
  auth.deserializeUser((user: Express.User, done) => done(null, user));
  const app = express();
  app.use(session({ secret, resave: false, saveUninitialized: false }));
  app.use(auth.session());
  app.get("/auth/discord", auth.authenticate("discord"));
  app.get(
    "/api/auth/callback/discord",
    auth.authenticate("discord", { successRedirect: "/" }),
  );
  app.use(loginPaths, async (req, res, next) => {
    const response = await getLogin().handle(toRequest(req, res));
    const isLogout = req.method === "POST" && response &&
      [204, 303].includes(response.status);
    if (isLogout) {
      await new Promise((resolve, reject) =>
        req.logout((error) => error ? reject(error) : resolve(null))
      );
    }
    return response ? await sendResponse(res, response) : next();
  });
  app.get("/", async (req, res) => {
    const current = await getLogin().session(toRequest(req, res));
    res.json(current?.user.id ?? (req.user as Profile | undefined)?.id ?? null);
  });
  const server = app.listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    open({ url, method, headers }) {
      const { pathname, search } = new URL(url);
      const local = `http://127.0.0.1:${port}${pathname}${search}`;
      return fetch(local, { method, headers, redirect: "manual" });
    },
    async begin(browser) {
      return (await browser.open("/auth/discord")).headers.get("location") ?? "";
    },
  };
};

const { id: clientID, secret: clientSecret } = credentials;

const applications: Record<string, () => Application | Promise<Application>> = {
  "Auth.js": authJs,
  "better-auth": betterAuthApp,
  "arctic": arcticApp,
  "passport-discord": () =>
    passportApp((verify) => {
      const options = { clientID, clientSecret, callbackURL: oldCallback, scope: ["identify"] };
      return new PassportDiscord.Strategy(options, verify);
    }),
  "passport-discord-auth": () =>
    passportApp((verify) => {
      const parts = { clientId: clientID, clientSecret, callbackUrl: oldCallback };
      return new PassportDiscordAuth({ ...parts, scope: [Scope.Identify] }, verify);
    }),
};

describe.each(Object.entries(applications))("An application with %s", (_name, create) => {
  let browser: Browser;

  beforeEach(async () => {
    browser = new Browser(await create());
  });

  test("keeps people with an old session logged in until they log out", async () => {
    expect(await browser.shownId()).toBeNull();
    await browser.logInAsBefore();
    expect(await browser.shownId()).toBe(ada.id);
    await browser.logOut();
    expect(await browser.shownId()).toBeNull();
  });

  test("shows the same person after a new login, and ends both sessions at a logout", async () => {
    await browser.logInAsBefore();
    await browser.logIn();
    expect(await browser.shownId()).toBe(ada.id);
    await browser.logOut();
    expect(await browser.shownId()).toBeNull();
  });

  test("ends both sessions at a logout by a script", async () => {
    await browser.logInAsBefore();
    await browser.logIn();
    await browser.logOutByScript();
    expect(await browser.shownId()).toBeNull();
  });

  test("needs no old session after a new login", async () => {
    await browser.logIn();
    expect(await browser.shownId()).toBe(ada.id);
    expect(browser.jar.header).toMatch(/^__Host-\S+$/);
  });
});

describe("The code for both sessions in docs/moving.md", () => {
  const cookieName = "__Secure-authjs.session-token";

  /** Returns the id in a cookie that Auth.js would have made. */
  async function idOf(parts: Partial<Parameters<typeof encode>[0]>) {
    const token = { discordId: "1000000000000000002" };
    const value = await encode({ token, secret, salt: cookieName, ...parts });
    return await discordIdOf(
      new Request(appOrigin, { headers: { cookie: `${cookieName}=${value}` } }),
    );
  }

  test("is the tested code", () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
    const guide = read("../../../docs/moving.md");
    const code = read("./moving/either.ts").replace(/^.*\n/, ""); // without the line for the linter
    expect(guide).toContain(`\`\`\`ts\n${code}\`\`\`\n`);
    const blocks = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block = ""]) => block);
    const logout = blocks.find((block) => block.includes("req.logout")) ?? "";
    expect(logout).not.toBe("");
    expect(read("./moving.client.ts")).toContain(logout.replaceAll(/^(?=.)/gm, "    "));
  });

  test("lets in only the holder of a session that Auth.js has encrypted and that has not ended", async () => {
    expect(await idOf({})).toBe("1000000000000000002");
    expect(await idOf({ maxAge: -60 })).toBeUndefined();
    expect(await idOf({ secret: "a secret of somewhere else" })).toBeUndefined();
    expect(await idOf({ token: { sub: "1000000000000000002" } })).toBeUndefined();
  });

  test("ends an old session that Auth.js has split into two cookies, and keeps other cookies", async () => {
    const token = { discordId: ada.id, roles: "staff ".repeat(800) };
    const value = await encode({ token, secret, salt: cookieName });
    const chunks = [value.slice(0, 3936), value.slice(3936)];
    expect(chunks[1]).not.toBe("");
    const browser = new Browser(authJs());
    const response = new Response();
    response.headers.append("set-cookie", "theme=dark; Path=/");
    for (const [index, chunk] of chunks.entries()) {
      response.headers.append("set-cookie", `${cookieName}.${index}=${chunk}; Path=/; Secure`);
    }
    browser.jar.keep(response);
    expect(await browser.shownId()).toBe(ada.id);
    await browser.logOut();
    expect(await browser.shownId()).toBeNull();
    expect(browser.jar.header).toBe("theme=dark");
  });

  test("keeps the old session if another site posts the logout", async () => {
    const headers = { origin: "https://elsewhere.example" };
    const request = new Request(`${appOrigin}/discord/logout`, { method: "POST", headers });
    const response = await handle(request);
    expect(response?.status).toBe(403);
    expect(response?.headers.getSetCookie().join()).not.toContain(cookieName);
  });
});
