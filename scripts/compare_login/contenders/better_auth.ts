import { betterAuth, type BetterAuthOptions } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import type { Handler } from "../browser.ts";
import type { Contender } from "../contender.ts";
import { appSecret, clientId, clientSecret, site } from "../platform.ts";

const base = "/api/auth";

export const contender: Contender = {
  callback: `${base}/callback/discord`,
  createApp(): Handler {
    const auth = betterAuth(unlimited({
      baseURL: site,
      secret: appSecret,
      database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
      socialProviders: { discord: { clientId, clientSecret } },
    }));
    return (request) => {
      if (new URL(request.url).pathname.startsWith("/api/auth/")) return auth.handler(request);
      return new Response("Welcome");
    };
  },
  async begin(browser, returnTo = "/") {
    const answer = await browser.open(`${base}/sign-in/social`, {
      method: "POST",
      headers: { "origin": site, "content-type": "application/json" },
      body: JSON.stringify({ provider: "discord", callbackURL: returnTo }),
    });
    return answer.ok ? (await answer.json()).url : null;
  },
  async whoAmI(browser) {
    const session = await (await browser.open(`${base}/get-session`)).json();
    return session?.user.name ?? null;
  },
  takesReturnTo: true,
};

/** The rows follow each other faster than its limit of logins from one address allows. */
function unlimited<Options extends BetterAuthOptions>(options: Options): Options {
  return { ...options, rateLimit: { enabled: false } };
}
