import { RedisStore } from "connect-redis";
import express, { type ErrorRequestHandler } from "express";
import session, { type Store } from "express-session";
import passport, { type Strategy } from "passport";
import { createClient } from "redis";
import type { Handler } from "../browser.ts";
import { type Contender, redirectTargetOf, usernameAtMe } from "../contender.ts";
import { forwardTo, serve } from "../loopback.ts";
import { appSecret, site } from "../platform.ts";

/** The profile that a strategy passes to the application. */
export interface Profile {
  readonly username: string;
}

type Verify = (
  accessToken: string,
  refreshToken: string,
  profile: Profile,
  done: (error: unknown, user: Profile) => void,
) => void;

/** The application's part of a strategy. */
export interface StrategyParts {
  readonly callbackURL: string;
  readonly verify: Verify;
}

const callback = "/auth/discord/callback";

/** Options of `passport-oauth2`, which the strategies extend: `state` against login CSRF, `pkce` against stolen codes. */
export interface SaferOptions {
  readonly state?: true;
  readonly pkce?: true;
}

/** Creates an application with a strategy for Passport, as the strategies' examples and Passport's guide show it. */
export function passportContender(
  createStrategy: (parts: StrategyParts) => Strategy,
): Contender {
  async function createApp(store?: Store): Promise<Handler> {
    const auth = new passport.Passport();
    auth.use(
      createStrategy({
        callbackURL: site + callback,
        verify: (_access, _refresh, profile, done) => done(null, profile),
      }),
    );
    auth.serializeUser((user, done) => done(null, user));
    auth.deserializeUser((user: Profile, done) => done(null, user));
    const app = express();
    app.use(session({ secret: appSecret, resave: false, saveUninitialized: false, store }));
    app.use(auth.session());
    app.get("/auth/discord", auth.authenticate("discord"));
    app.get(
      callback,
      auth.authenticate("discord", { failureRedirect: "/" }),
      (_request, response) => response.redirect("/"),
    );
    app.post("/logout", (request, response, next) => {
      request.logout((error) => error ? next(error) : response.redirect("/"));
    });
    app.get("/me", ({ user }, response) => {
      response.status(user ? 200 : 401).json(user ?? null);
    });
    app.get("/", (_request, response) => {
      response.send("Welcome");
    });
    const onError: ErrorRequestHandler = (_error, _request, response, _next) => {
      response.status(500).send("The login failed. Please try again.");
    };
    app.use(onError);
    return forwardTo(await serve(app));
  }
  return {
    callback,
    createApp,
    async createSharedApp({ redisUrl }) {
      const client = await createClient({ url: redisUrl }).connect();
      return await createApp(new RedisStore({ client }));
    },
    login: { path: "/auth/discord" },
    begin: (browser) => redirectTargetOf(browser, "/auth/discord"),
    whoAmI: usernameAtMe,
    logout: { path: "/logout", send: (browser) => browser.open("/logout", { method: "POST" }) },
    takesReturnTo: false,
  };
}
