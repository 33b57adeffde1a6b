import { DatabaseSync } from "node:sqlite";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { CookieJar } from "../../../../../tests/integration/clients/support/cookie_jar.ts";
import { appOrigin, appSecret, type Contender } from "../contender.ts";
import { credentials } from "../platform.ts";

function handlerFor(file: string) {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec("pragma journal_mode = wal");
  const options = {
    baseURL: appOrigin,
    secret: appSecret,
    database,
    socialProviders: {
      discord: { clientId: credentials.id, clientSecret: credentials.secret },
    },
    rateLimit: { enabled: false },
    logger: { disabled: true },
    telemetry: { enabled: false },
  };
  const auth = betterAuth(options);
  const call = async (path: string, cookies: CookieJar, body?: object): Promise<Response> => {
    const headers = {
      "cookie": cookies.header,
      "origin": appOrigin,
      "content-type": "application/json",
    };
    const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    return cookies.keep(await auth.handler(new Request(new URL(path, appOrigin), init)));
  };
  return { call, migrate: async () => await (await getMigrations(options)).runMigrations() };
}

/** better-auth's `get-access-token`, with SQLite. */
export const contender: Contender = {
  async logIn({ file }, consent) {
    const { call, migrate } = handlerFor(file);
    await migrate();
    const cookies = new CookieJar();
    const start = await call("/api/auth/sign-in/social", cookies, {
      provider: "discord",
      callbackURL: "/welcome",
    });
    await call(await consent((await start.json()).url), cookies);
    return cookies.header;
  },
  open({ file }) {
    const { call } = handlerFor(file);
    return {
      async call(browser) {
        const cookies = new CookieJar(browser);
        const accounts = await (await call("/api/auth/list-accounts", cookies)).json();
        const response = await call("/api/auth/get-access-token", cookies, {
          accountId: accounts[0]?.id,
        });
        const accessToken = response.ok ? (await response.json()).accessToken : null;
        return { accessToken, browser: cookies.header };
      },
    };
  },
};
