/**
 * Logs you in with Discord from a terminal, and prints your name and your guilds.
 *
 * Without an account, on a fake platform on your machine:
 *
 *     deno run --allow-net=localhost:8787,127.0.0.1:8788 \
 *       https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/examples/deno_login.ts --fake
 *
 * With your own application, which needs the redirect http://localhost:8787/callback:
 *
 *     DISCORD_CLIENT_ID=… DISCORD_CLIENT_SECRET=… deno run \
 *       --allow-net=localhost:8787,discord.com --allow-env=DISCORD_CLIENT_ID,DISCORD_CLIENT_SECRET \
 *       https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/examples/deno_login.ts
 *
 * `--open` opens the login in your browser. It needs `--allow-run=open,xdg-open` before the address of the script.
 * `--help` lists all options.
 *
 * @module
 */

import { parseArgs } from "node:util";
import {
  discord,
  generateState,
  GuildpassError,
  type PartialGuildObj,
  Permissions,
  type Platform,
  StateMismatchError,
  type UserObj,
} from "https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/mod.ts";
import {
  Login,
  LoginError,
} from "https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/src/login/mod.ts";
import { messagePage } from "./shared/page.ts";
import { printable } from "./shared/printable.ts";

const usage = `Logs you in with Discord, and prints your name and your guilds.

  --fake               uses a fake platform on this machine, which needs no account
  --open               opens the login in your browser
  --port <number>      the port that the login returns to; 8787, or with --fake the next free one
  --timeout <seconds>  the time limit for the login; 300
  --platform <origin>  uses another server with the platform's API

Without --fake, set DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET to those of your application. A public client has no
secret. The application needs the redirect http://localhost:8787/callback, with the port that you chose.`;

const usualPort = 8787;

/** The application that the script logs you in to. */
interface Application {
  readonly clientId: string;
  /** `null` for a public client, which only PKCE protects. */
  readonly clientSecret: string | null;
  readonly platform: Platform;
}

/** The user and guilds that the script prints. */
interface Profile {
  readonly user: UserObj;
  readonly guilds: readonly PartialGuildObj[];
}

/** An error that the person at the terminal can fix. Its message says what to do. */
class Explanation extends Error {}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Explanation || error instanceof GuildpassError)) throw error;
    const isOwn = error instanceof Explanation;
    console.error(isOwn ? error.message : printable(error.message));
    if (!isOwn && error.hint) console.error(error.hint);
    Deno.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const flags = readFlags();
  if (flags.help) return console.log(usage);
  const { fake, open, platform: origin, timeout } = flags;
  // Without --fake, the port is part of the registered redirect, so another port would not work.
  const port = flags.port ?? (fake ? findFreePort() : usualPort);
  const redirectUri = `http://localhost:${port}/callback`;
  await using fakePlatform = fake ? await startFakePlatform(port + 1, redirectUri) : null;
  const application = fakePlatform?.application ?? readEnvironment(origin);
  const link = `http://localhost:${port}/login`;
  const { user, guilds } = await logIn(application, redirectUri, {
    port,
    timeout,
    whenReady() {
      console.log(`Open this to log in:\n\n${link}\n`);
      if (open) openInBrowser(link);
    },
  });
  console.log(printable(`You are ${displayName(user)} (@${user.username}, ${user.id})`));
  console.log(guilds.length === 1 ? "You are in 1 guild:" : `You are in ${guilds.length} guilds:`);
  for (const guild of guilds) console.log(printable(`- ${guild.name} (${describeRole(guild)})`));
}

interface Wait {
  readonly port: number;
  /** The time limit for the login, in seconds. */
  readonly timeout: number;
  /** Called as soon as the link works. */
  whenReady(): void;
}

/** Serves a login until its end. Refuses the callback of another login and keeps waiting. */
async function logIn(
  { clientId, clientSecret, platform }: Application,
  redirectUri: string,
  { port, timeout, whenReady }: Wait,
): Promise<Profile> {
  const { promise, resolve, reject } = Promise.withResolvers<Profile>();
  const login = new Login({
    clientId,
    clientSecret,
    scope: ["identify", "guilds"],
    // A random secret is enough: it is used only while this script runs.
    secret: generateState(),
    redirectUri,
    platform,
    async onLogin({ user, api }) {
      const guilds = await api.getUserGuilds();
      resolve({ user, guilds });
      const text = "Your guilds are in the terminal. You may close this tab.";
      return page(200, `Hello ${displayName(user)}`, text);
    },
    onError(error) {
      const isOther = error instanceof LoginError && error.reason !== "refused_token";
      if (isOther || error instanceof StateMismatchError) {
        return page(400, "This is another login", "Use the link that is in the terminal.");
      }
      reject(error);
      return page(400, "That did not work", "The terminal says why. You may close this tab.");
    },
  });
  await using _server = serve("localhost", port, async (request) => {
    return await login.handle(request) ??
      page(404, "There is nothing here", "Open the link that is in the terminal.");
  });
  const tooLate = new Explanation(`There was no login within ${timeout} seconds`);
  const timer = setTimeout(() => reject(tooLate), timeout * 1000);
  try {
    whenReady();
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Serves this machine only: the rest of the network can not reach it. */
function serve(
  hostname: "localhost" | "127.0.0.1",
  port: number,
  handler: (request: Request) => Promise<Response>,
): Deno.HttpServer {
  try {
    return Deno.serve({ hostname, port, onListen() {} }, handler);
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new Explanation(`Port ${port} is taken: choose another one with --port`);
  }
}

/** Returns the usual port, or the next one for which {@link isFree} is true. */
function findFreePort(): number {
  if (isFree(usualPort)) return usualPort;
  const taken = `Port ${usualPort} or ${usualPort + 1} is taken`;
  for (let port = usualPort + 1; port < usualPort + 20; port++) {
    try {
      if (!isFree(port)) continue;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      const hosts = `localhost:${port},127.0.0.1:${port + 1}`;
      throw new Explanation(`${taken}: choose others with --port=${port} and --allow-net=${hosts}`);
    }
    console.log(`${taken}, so this uses ${port} and ${port + 1}`);
    return port;
  }
  throw new Explanation(`${taken}: choose another one with --port`);
}

/** Returns true if the script can listen on a port, and the fake platform on the next one. */
function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "localhost", port }).close();
    Deno.listen({ hostname: "127.0.0.1", port: port + 1 }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}

/** Starts a platform in memory with a consent page. Every visitor can log in as any of its users. */
async function startFakePlatform(
  port: number,
  redirectUri: string,
): Promise<AsyncDisposable & { readonly application: Application }> {
  const { createFakePlatform, sampleApplication } = await import(
    "https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/src/testing/mod.ts"
  );
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const { fetch, platform } = createFakePlatform({
    origin: `http://127.0.0.1:${port}`,
    applications: [{ ...sampleApplication, redirectUris: [redirectUri] }],
  });
  const server = serve("127.0.0.1", port, async ({ url, method, headers, body }) => {
    // The request is not passed on as it is, because Deno warns about its signal.
    return await fetch(url, { method, headers, body: body && await new Response(body).text() });
  });
  return {
    application: { clientId, clientSecret, platform },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function readEnvironment(origin: string | undefined): Application {
  const clientId = Deno.env.get("DISCORD_CLIENT_ID");
  const clientSecret = Deno.env.get("DISCORD_CLIENT_SECRET") || null;
  if (!clientId) {
    throw new Explanation(
      "DISCORD_CLIENT_ID is not set. Set it and DISCORD_CLIENT_SECRET to those of your application,\n" +
        "or add --fake to see a login without an account",
    );
  }
  if (!/^\d+$/.test(clientId)) throw new Explanation("DISCORD_CLIENT_ID is not a number");
  if (origin === undefined) return { clientId, clientSecret, platform: discord };
  const platform = {
    authorizeUrl: `${origin}/oauth2/authorize`,
    apiUrl: `${origin}/api/v10`,
    cdnUrl: `${origin}/cdn`,
  };
  return { clientId, clientSecret, platform };
}

interface Flags {
  readonly fake: boolean;
  readonly help: boolean;
  readonly open: boolean;
  readonly platform: string | undefined;
  /** `undefined` without the option. */
  readonly port: number | undefined;
  readonly timeout: number;
}

function readFlags(): Flags {
  try {
    const { values } = parseArgs({
      args: Deno.args,
      options: {
        fake: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        open: { type: "boolean", default: false },
        platform: { type: "string" },
        port: { type: "string" },
        timeout: { type: "string", default: "300" },
      },
    });
    const port = values.port === undefined ? undefined : Number(values.port);
    const timeout = Number(values.timeout);
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65535)) {
      throw new TypeError("--port must be a number from 1 to 65534");
    }
    if (!(timeout > 0 && timeout < 1e6)) {
      throw new TypeError("--timeout must be a number of seconds");
    }
    return { ...values, platform: values.platform, port, timeout };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Explanation(`${error.message}\n\n${usage}`);
  }
}

/** Opens a link in the browser. A failure is only printed, because the link is in the terminal too. */
function openInBrowser(link: string): void {
  const program = Deno.build.os === "darwin" ? "open" : "xdg-open";
  try {
    const command = new Deno.Command(program, { args: [link], stdout: "null", stderr: "null" });
    // Without this, the script would wait for programs that run as long as the browser.
    command.spawn().unref();
  } catch (error) {
    console.error(`The browser could not be opened with ${program}: ${error}`);
  }
}

function displayName(user: UserObj): string {
  return user.global_name ?? user.username;
}

function describeRole({ owner, permissions }: PartialGuildObj): string {
  if (owner) return "you own it";
  const mine = new Permissions(permissions);
  return mine.has("administrator") || mine.has("manage_guild") ? "you manage it" : "a member";
}

function page(status: number, title: string, text: string): Response {
  return messagePage({ example: "login", home: null, status, title, text });
}
