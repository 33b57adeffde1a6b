import * as arctic from "arctic";
import { Hono } from "hono";
import { getCookie, getSignedCookie, setCookie, setSignedCookie } from "hono/cookie";
import type { Handler } from "../browser.ts";
import { type Contender, redirectTargetOf, usernameAtMe } from "../contender.ts";
import { appSecret, clientId, clientSecret, site } from "../platform.ts";

export const contender: Contender = {
  callback: "/callback",
  createApp(): Handler {
    // Arctic's page about Discord says that PKCE is not supported for a client with a secret, and passes null for the verifier.
    const discord = new arctic.Discord(clientId, clientSecret, `${site}/callback`);
    const app = new Hono();
    const options = { httpOnly: true, secure: true, sameSite: "Lax", path: "/" } as const;
    app.get("/login", (context) => {
      const state = arctic.generateState();
      setCookie(context, "state", state, { ...options, maxAge: 600 });
      const url = discord.createAuthorizationURL(state, null, ["identify"]);
      return context.redirect(url.href);
    });
    app.get("/callback", async (context) => {
      const { code, state } = context.req.query();
      const storedState = getCookie(context, "state");
      if (!code || !storedState || state !== storedState) {
        return context.text("Please restart the process.", 400);
      }
      try {
        const tokens = await discord.validateAuthorizationCode(code, null);
        const response = await fetch("https://discord.com/api/users/@me", {
          headers: { Authorization: `Bearer ${tokens.accessToken()}` },
        });
        const { username } = await response.json();
        // Arctic has no sessions: the application remembers who has logged in.
        await setSignedCookie(context, "session", username, appSecret, options);
        return context.redirect("/");
      } catch (error) {
        if (error instanceof arctic.OAuth2RequestError) {
          return context.text("Invalid code or credentials", 400);
        }
        if (error instanceof arctic.ArcticFetchError) {
          return context.text("Discord can't be reached", 502);
        }
        return context.text("Discord's response can't be read", 502);
      }
    });
    app.get("/me", async (context) => {
      const username = await getSignedCookie(context, appSecret, "session");
      return context.json({ username }, username ? 200 : 401);
    });
    app.get("/", (context) => context.text("Welcome"));
    return (request) => app.fetch(request);
  },
  login: { path: "/login" },
  begin: (browser) => redirectTargetOf(browser, "/login"),
  whoAmI: usernameAtMe,
  takesReturnTo: false,
};
