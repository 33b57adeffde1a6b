import { Auth, type AuthConfig } from "@auth/core";
import Discord from "@auth/core/providers/discord";
import { CookieJar } from "../../../../../tests/integration/clients/support/cookie_jar.ts";
import { appOrigin, appSecret, type Contender } from "../contender.ts";
import { credentials } from "../platform.ts";

const clientId = credentials.id;
const clientSecret = credentials.secret;

/** Refreshes the token in the session cookie as https://authjs.dev/guides/refresh-token-rotation shows. */
const config: AuthConfig = {
  basePath: "/auth",
  secret: appSecret,
  trustHost: true,
  logger: { error() {} },
  providers: [Discord({ clientId, clientSecret, issuer: "https://discord.com" })],
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        const { access_token, expires_at, refresh_token } = account;
        return { ...token, access_token, expires_at, refresh_token };
      }
      if (Date.now() < Number(token["expires_at"]) * 1000) return token;
      try {
        const response = await fetch("https://discord.com/api/oauth2/token", {
          method: "POST",
          headers: { "user-agent": "DiscordBot (https://app.example, 1.0)" },
          body: new URLSearchParams({
            client_id: clientId,
            client_secret: clientSecret,
            grant_type: "refresh_token",
            refresh_token: String(token["refresh_token"]),
          }),
        });
        const fresh = await response.json();
        if (!response.ok) throw fresh;
        return {
          ...token,
          access_token: fresh.access_token,
          expires_at: Math.floor(Date.now() / 1000 + fresh.expires_in),
          refresh_token: fresh.refresh_token ?? token["refresh_token"],
          error: undefined,
        };
      } catch {
        return { ...token, error: "RefreshTokenError" };
      }
    },
    // deno-lint-ignore require-await -- the type wants a promise
    async session({ session, token }) {
      return Object.assign(session, { error: token["error"], accessToken: token["access_token"] });
    },
  },
};

async function call(
  path: string,
  cookies: CookieJar,
  form?: Readonly<Record<string, string>>,
): Promise<Response> {
  const headers = { cookie: cookies.header };
  const init = form ? { method: "POST", headers, body: new URLSearchParams(form) } : { headers };
  return cookies.keep(await Auth(new Request(new URL(path, appOrigin), init), config));
}

/** The rotation that the documentation of `@auth/core` describes. */
export const contender: Contender = {
  async logIn(_shared, consent) {
    const cookies = new CookieJar();
    const { csrfToken } = await (await call("/auth/csrf", cookies)).json();
    const start = await call("/auth/signin/discord", cookies, {
      csrfToken,
      callbackUrl: `${appOrigin}/welcome`,
    });
    await call(await consent(start.headers.get("location") ?? ""), cookies);
    return cookies.header;
  },
  open: () => ({
    async call(browser) {
      const cookies = new CookieJar(browser);
      const session = await (await call("/auth/session", cookies)).json();
      const accessToken = session && !session.error ? session.accessToken : null;
      return { accessToken, browser: cookies.header };
    },
  }),
};
