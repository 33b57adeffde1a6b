import { discordAuth } from "@hono/oauth-providers/discord";
import { Hono } from "hono";
import { getSignedCookie, setSignedCookie } from "hono/cookie";
import type { Handler } from "../browser.ts";
import { type Contender, redirectTargetOf, usernameAtMe } from "../contender.ts";
import { appSecret, clientId, clientSecret } from "../platform.ts";

export const contender: Contender = {
  callback: "/discord",
  createApp(): Handler {
    const app = new Hono();
    const scope: "identify"[] = ["identify"];
    app.use("/discord", discordAuth({ client_id: clientId, client_secret: clientSecret, scope }));
    // The library has no sessions: the application remembers who has logged in.
    app.get("/discord", async (context) => {
      const username = context.get("user-discord")?.username ?? "";
      const options = { httpOnly: true, secure: true, sameSite: "Lax" } as const;
      await setSignedCookie(context, "session", username, appSecret, options);
      return context.redirect("/");
    });
    app.get("/me", async (context) => {
      const username = await getSignedCookie(context, appSecret, "session");
      return context.json({ username }, username ? 200 : 401);
    });
    app.get("/", (context) => context.text("Welcome"));
    app.onError((_error, context) => context.text("The login failed. Please try again.", 500));
    return (request) => app.fetch(request);
  },
  login: { path: "/discord" },
  begin: (browser) => redirectTargetOf(browser, "/discord"),
  whoAmI: usernameAtMe,
  takesReturnTo: false,
};
