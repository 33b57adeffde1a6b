import type { RequestListener } from "node:http";
import process from "node:process";
import { type Contender, redirectTargetOf } from "../contender.ts";
import { forwardTo, serve } from "../loopback.ts";
import { appSecret, clientId, clientSecret, site } from "../platform.ts";
import { nuxt } from "../projects.ts";

const callback = "/auth/discord";
const session = "/api/_auth/session";

export const contender: Contender = {
  callback,
  async createApp() {
    Object.assign(process.env, {
      NUXT_SESSION_PASSWORD: appSecret,
      NUXT_OAUTH_DISCORD_CLIENT_ID: clientId,
      NUXT_OAUTH_DISCORD_CLIENT_SECRET: clientSecret,
      NUXT_OAUTH_DISCORD_REDIRECT_URL: site + callback,
    });
    const built: { readonly listener: RequestListener } = await import(
      new URL(".output/server/index.mjs", nuxt.folder).href
    );
    return forwardTo(await serve(built.listener));
  },
  login: { path: callback },
  begin: (browser) => redirectTargetOf(browser, callback),
  async whoAmI(browser) {
    const { user } = await (await browser.open(session)).json();
    return user?.username ?? null;
  },
  logout: { path: session, send: (browser) => browser.open(session, { method: "DELETE" }) },
  takesReturnTo: false,
};
