import { DatabaseSync } from "node:sqlite";
import { betterAuth, type BetterAuthOptions } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import type { Browser, Handler } from "../browser.ts";
import type { Contender } from "../contender.ts";
import { appSecret, clientId, clientSecret, site } from "../platform.ts";

const base = "/api/auth";

const inMemory = await openDatabase(":memory:");

function createApp(database = inMemory): Handler {
  const auth = betterAuth(unlimited({
    baseURL: site,
    secret: appSecret,
    database,
    socialProviders: { discord: { clientId, clientSecret } },
  }));
  return (request) => {
    if (new URL(request.url).pathname.startsWith("/api/auth/")) return auth.handler(request);
    return new Response("Welcome");
  };
}

export const contender: Contender = {
  callback: `${base}/callback/discord`,
  createApp,
  createSharedApp: async ({ file }) => createApp(await openDatabase(file)),
  login: {
    path: `${base}/sign-in/social`,
    fields: { provider: "discord", callbackURL: "/" },
  },
  async begin(browser, returnTo = "/") {
    const response = await post(browser, `${base}/sign-in/social`, {
      provider: "discord",
      callbackURL: returnTo,
    });
    return response.ok ? (await response.json()).url : null;
  },
  async whoAmI(browser) {
    const session = await (await browser.open(`${base}/get-session`)).json();
    return session?.user.name ?? null;
  },
  logout: {
    path: `${base}/sign-out`,
    send: (browser) => post(browser, `${base}/sign-out`, {}),
  },
  takesReturnTo: true,
};

/** Opens a database with the tables of better-auth. */
async function openDatabase(file: string): Promise<DatabaseSync> {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec("pragma journal_mode = wal");
  await (await getMigrations({ database })).runMigrations();
  return database;
}

function post(browser: Browser, path: string, body: object): Promise<Response> {
  return browser.open(path, {
    method: "POST",
    headers: { "origin": site, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Off, because the rows follow each other faster than better-auth's limit of logins from one address allows. */
function unlimited<Options extends BetterAuthOptions>(options: Options): Options {
  return { ...options, rateLimit: { enabled: false } };
}
