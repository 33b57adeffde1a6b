import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import express from "express";
import session from "express-session";
import passport, { type Strategy } from "passport";
import type { Handler } from "../browser.ts";
import { askMe, beginAt, type Contender } from "../contender.ts";
import { appSecret, clientId, clientSecret, site } from "../platform.ts";

/** What passport-discord gives the application; it comes without types. */
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

export const contender: Contender = {
  callback: "/auth/discord/callback",
  async createApp(): Promise<Handler> {
    const callbackURL = `${site}/auth/discord/callback`;
    const options = { clientID: clientId, clientSecret, callbackURL, scope: ["identify"] };
    const auth = new passport.Passport();
    auth.use(
      new DiscordStrategy(options, (_access, _refresh, profile, done) => done(null, profile)),
    );
    auth.serializeUser((user, done) => done(null, user));
    auth.deserializeUser((user: Profile, done) => done(null, user));
    const app = express();
    app.use(session({ secret: appSecret, resave: false, saveUninitialized: false }));
    app.use(auth.session());
    app.get("/auth/discord", auth.authenticate("discord"));
    app.get(
      "/auth/discord/callback",
      auth.authenticate("discord", { failureRedirect: "/" }),
      (_request, response) => response.redirect("/"),
    );
    app.get("/me", ({ user }, response) => {
      response.status(user ? 200 : 401).json(user ?? null);
    });
    app.get("/", (_request, response) => {
      response.send("Welcome");
    });
    return await forwardTo(app);
  },
  begin: (browser) => beginAt(browser, "/auth/discord"),
  whoAmI: askMe,
  takesReturnTo: false,
};

async function forwardTo(app: express.Express): Promise<Handler> {
  const { port } = await new Promise<AddressInfo>((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(server.address() as AddressInfo));
  });
  return ({ url, headers }) => {
    const { pathname, search } = new URL(url);
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { headers, redirect: "manual" });
  };
}
