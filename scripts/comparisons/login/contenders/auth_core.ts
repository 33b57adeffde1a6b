import { Auth } from "@auth/core";
import Discord from "@auth/core/providers/discord";
import type { Browser, Handler } from "../browser.ts";
import type { Contender } from "../contender.ts";
import { appSecret, clientId, clientSecret } from "../platform.ts";

export const contender: Contender = {
  callback: "/auth/callback/discord",
  createApp(): Handler {
    // Without the issuer, Auth.js refuses every callback (https://github.com/nextauthjs/next-auth/issues/12687).
    const issuer = "https://discord.com";
    const config = {
      basePath: "/auth",
      secret: appSecret,
      trustHost: true,
      providers: [Discord({ clientId, clientSecret, issuer })],
    };
    return (request) => {
      if (new URL(request.url).pathname.startsWith("/auth/")) return Auth(request, config);
      return new Response("Welcome");
    };
  },
  async begin(browser, returnTo = "/") {
    const answer = await post(browser, "/auth/signin/discord", { callbackUrl: returnTo });
    return answer.headers.get("location");
  },
  async whoAmI(browser) {
    const session = await (await browser.open("/auth/session")).json();
    return session?.user?.name ?? null;
  },
  logout: { path: "/auth/signout", send: (browser) => post(browser, "/auth/signout", {}) },
  takesReturnTo: true,
};

async function post(
  browser: Browser,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const { csrfToken } = await (await browser.open("/auth/csrf")).json();
  return await browser.open(path, {
    method: "POST",
    body: new URLSearchParams({ csrfToken, ...fields }),
  });
}
