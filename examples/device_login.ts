/**
 * Logs you in with Discord from a terminal without a browser: shows a code to type in on another device, and a QR code to
 * scan.
 *
 * Without an account, on a fake platform on your machine:
 *
 *     deno run --allow-net=127.0.0.1 --allow-env=DISCORD_CLIENT_ID \
 *       https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/examples/device_login.ts
 *
 * With your own application, for which the device grant must be enabled:
 *
 *     DISCORD_CLIENT_ID=… DISCORD_CLIENT_SECRET=… deno run --allow-net=discord.com \
 *       --allow-env=DISCORD_CLIENT_ID,DISCORD_CLIENT_SECRET,PLATFORM_ORIGIN \
 *       https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/examples/device_login.ts
 *
 * A public client has no secret. `PLATFORM_ORIGIN` names another server with the platform's API.
 *
 * @module
 */

import encodeQR from "npm:qr@^0.7.0";
import {
  type DeviceLogin,
  discord,
  GuildpassError,
  type Platform,
  PlatformApi,
  User,
} from "https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/mod.ts";
import { printable } from "./shared/printable.ts";

/** The application that the script logs you in to. */
interface Application {
  readonly clientId: string;
  /** `null` for a public client. */
  readonly clientSecret: string | null;
  readonly platform: Platform;
}

if (import.meta.main) {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  Deno.addSignalListener("SIGINT", stop);
  try {
    await main(interrupt.signal);
  } catch (error) {
    Deno.exitCode = 1;
    if (interrupt.signal.aborted) console.error("Canceled");
    else if (error instanceof GuildpassError) explain(error);
    else throw error;
  } finally {
    Deno.removeSignalListener("SIGINT", stop);
  }
}

async function main(signal: AbortSignal): Promise<void> {
  const clientId = Deno.env.get("DISCORD_CLIENT_ID");
  await using fakePlatform = clientId ? null : await startFakePlatform();
  const application = fakePlatform?.application ?? readEnvironment(clientId ?? "");
  const { clientSecret, platform } = application;
  const api = new PlatformApi(
    application.clientId,
    clientSecret,
    ["identify", "guilds"],
    null,
    { platform },
  );

  const login = await api.startDeviceLogin({ signal });
  show(login);
  const user = new User(await login.token({ signal }), { platform });
  const { global_name, username } = await user.getCurrentUser({ signal });
  const guilds = await user.getUserGuilds({ signal });
  console.log(printable(`You are ${global_name ?? username} (@${username})`));
  console.log(`Your guilds: ${printable(guilds.map(({ name }) => name).join(", ")) || "none"}`);
}

function show(login: DeviceLogin): void {
  const { userCode, verificationUri, verificationUriComplete, expiresAt } = login;
  console.log(`Open ${verificationUri} on any device, and type in\n\n    ${userCode}\n`);
  console.log(`or scan this:\n\n${qrCode(verificationUriComplete ?? verificationUri)}`);
  const time = new Date(expiresAt).toLocaleTimeString("en", { timeStyle: "short" });
  console.log(`Waiting for you until ${time}. Ctrl+C cancels.\n`);
}

/** Returns a QR code as text, two rows in each line. */
function qrCode(text: string): string {
  const code = encodeQR(text, "ascii");
  if (Deno.noColor || !Deno.stdout.isTerminal()) return code;
  // White on black, because not every scanner reads the inverted code of a light terminal.
  return code.replaceAll(/^.+$/gm, "\x1b[97;40m$&\x1b[0m");
}

function readEnvironment(clientId: string): Application {
  const clientSecret = Deno.env.get("DISCORD_CLIENT_SECRET") || null;
  const origin = Deno.env.get("PLATFORM_ORIGIN");
  if (!origin) return { clientId, clientSecret, platform: discord };
  const platform = {
    authorizeUrl: `${origin}/oauth2/authorize`,
    apiUrl: `${origin}/api/v10`,
    cdnUrl: `${origin}/cdn`,
  };
  return { clientId, clientSecret, platform };
}

/** Starts a platform in memory with a page for the code. Every visitor can log in as any of its users. */
async function startFakePlatform(): Promise<
  AsyncDisposable & { readonly application: Application }
> {
  const { createFakePlatform, sampleApplication } = await import(
    "https://raw.githubusercontent.com/guildpass/sdk/v0.1.0/src/testing/mod.ts"
  );
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const hostname = "127.0.0.1";
  // Any free port will do, because no redirect URI contains it.
  const server = Deno.serve({ hostname, port: 0, onListen() {} }, (request) => respond(request));
  const origin = `http://${hostname}:${server.addr.port}`;
  const { fetch, platform } = createFakePlatform({ origin });
  async function respond({ url, method, headers, body }: Request): Promise<Response> {
    // The request is not passed on as it is, because Deno warns about its signal.
    return await fetch(url, { method, headers, body: body && await new Response(body).text() });
  }
  console.log(
    "DISCORD_CLIENT_ID is not set, so this uses a fake platform, on this machine only.\n",
  );
  return {
    application: { clientId, clientSecret, platform },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function explain({ message, hint }: GuildpassError): void {
  console.error(printable(message));
  if (hint) console.error(hint);
}
