import { createRequire } from "node:module";
import { RedisStore } from "connect-redis";
import express from "express";
import session, { type Store } from "express-session";
import passport, { type Strategy } from "passport";
import { createClient } from "redis";
import type { Handler } from "../browser.ts";
import { type Contender, redirectTargetOf, usernameAtMe } from "../contender.ts";
import { forwardTo, serve } from "../loopback.ts";
import { appSecret, clientId, clientSecret, site } from "../platform.ts";

/** The profile that passport-discord passes to the application. The package has no types. */
interface Profile {
  readonly username: string;
}

type Verify = (
  accessToken: string,
  refreshToken: string,
  profile: Profile,
  done: (error: unknown, user: Profile) => void,
) => void;

const { Strategy: DiscordStrategy } = createRequire(import.meta.url)("passport-discord") as {
  readonly Strategy: new (options: object, verify: Verify) => Strategy;
};

export const contender: Contender = createContender({});

/** Creates the application with options of the strategy that the README does not mention. */
export function createContender(more: { readonly state?: true; readonly pkce?: true }): Contender {
  async function createApp(store?: Store): Promise<Handler> {
    const callbackURL = `${site}/auth/discord/callback`;
    const options = { clientID: clientId, clientSecret, callbackURL, scope: ["identify"], ...more };
    const auth = new passport.Passport();
    auth.use(
      new DiscordStrategy(options, (_access, _refresh, profile, done) => done(null, profile)),
    );
    auth.serializeUser((user, done) => done(null, user));
    auth.deserializeUser((user: Profile, done) => done(null, user));
    const app = express();
    app.use(session({ secret: appSecret, resave: false, saveUninitialized: false, store }));
    app.use(auth.session());
    app.get("/auth/discord", auth.authenticate("discord"));
    app.get(
      "/auth/discord/callback",
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
    return forwardTo(await serve(app));
  }
  return {
    callback: "/auth/discord/callback",
    createApp,
    async createSharedApp({ redisUrl }) {
      const client = await createClient({ url: redisUrl }).connect();
      return await createApp(new RedisStore({ client }));
    },
    begin: (browser) => redirectTargetOf(browser, "/auth/discord"),
    whoAmI: usernameAtMe,
    logout: { path: "/logout", send: (browser) => browser.open("/logout", { method: "POST" }) },
    takesReturnTo: false,
  };
}
