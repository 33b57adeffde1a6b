/**
 * Runs `guildpass fake`: a fake platform on a port of this machine.
 *
 * @module
 */

import { randomText } from "../core/base64url.ts";
import {
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
} from "../testing/mod.ts";
import { isHost } from "../testing/world/origin.ts";
import type { ConfigFile } from "./config_file.ts";
import { loopback, startServer } from "./local_server.ts";
import { withRequestLog } from "./request_log.ts";
import { asCommandError, CommandError, type Terminal } from "./terminal.ts";

/** The options of `guildpass fake`. */
export interface ServeFakeOptions {
  /** The port; `null` for the first free port from the default port on. */
  readonly port: number | null;
  /** The config file; `null` for the sample application and users. */
  readonly config: ConfigFile | null;
  /** The URL for the sample application's webhook events, or `null`. */
  readonly webhookUrl: string | null;
  /** The accepted host names in addition to this machine's. */
  readonly hosts: readonly string[];
}

/** The default port. It is not 8787 or 3000, which the application probably uses. */
export const defaultPort = 8788;

/**
 * Starts the platform, and prints its URLs and the credentials for an application. Then it prints each request.
 *
 * @throws {CommandError} If no port is free, or an option or the config file is wrong.
 */
export async function serveFake(
  { port, config, webhookUrl, hosts }: ServeFakeOptions,
  terminal: Terminal,
): Promise<void> {
  const { print } = terminal;
  if (webhookUrl !== null) checkWebhookUrl(webhookUrl, config);
  await startServer({ wanted: port, first: defaultPort }, terminal, async (port) => {
    const origin = `http://${loopback}:${port}`;
    const webhookEvents = webhookUrl === null ? null : eventSender(webhookUrl, print);
    const fake = createPlatform(config, webhookEvents, origin);
    const handler = withRequestLog(fake.fetch, secretsOf(config), print);
    const onRefusedHost = (name: string) => {
      const hint = isHost(name) ? `; to serve it, start with --host ${name}` : "";
      print(`403: the host ${name} is not this machine${hint}`);
    };
    const listener = nodeListener(handler, { origin, hosts, onRefusedHost });
    return { listener, instructions: await instructionsFor(fake, config, origin) };
  });
}

function checkWebhookUrl(url: string, config: ConfigFile | null): void {
  if (config !== null) {
    throw new CommandError(
      `--webhook-url can't be used with --config: set "webhookEvents" of an application in ${config.path}`,
    );
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new CommandError(
      `--webhook-url must be an http address, received ${JSON.stringify(url)}`,
    );
  }
}

/** Returns a function that sends an event to a URL and prints the result. */
function eventSender(
  url: string,
  print: (line: string) => void,
): (event: Request) => Promise<Response> {
  return async (event) => {
    const { method, headers } = event;
    try {
      const response = await fetch(url, { method, headers, body: await event.text() });
      print(`Event to ${url}: status ${response.status}`);
      return response;
    } catch (error) {
      print(`Event to ${url}: not delivered`);
      throw error;
    }
  };
}

function createPlatform(
  config: ConfigFile | null,
  webhookEvents: ((event: Request) => Promise<Response>) | null,
  origin: string,
): FakePlatform {
  const application = { ...sampleApplication, ...(webhookEvents && { webhookEvents }) };
  const options = { applications: [application], ...config?.options, origin };
  return asCommandError(() => createFakePlatform(options), `${config?.path}: `);
}

function secretsOf(config: ConfigFile | null): string[] {
  return (config?.options.applications ?? [sampleApplication]).flatMap(({ secret, botToken }) =>
    [secret, botToken].filter((one) => typeof one === "string")
  );
}

async function instructionsFor(
  fake: FakePlatform,
  config: ConfigFile | null,
  origin: string,
): Promise<string> {
  const { platform } = fake;
  return `Fake platform on ${origin}

Authorize page  ${platform.authorizeUrl}
API             ${platform.apiUrl}
CDN             ${platform.cdnUrl}
Token           ${platform.apiUrl}/oauth2/token
Discovery       ${origin}/.well-known/openid-configuration

${await (config?.options.applications ? credentialsInFile(fake, config) : sampleCredentials(fake))}

Pass this variable to the SDK as platform: env.DISCORD_PLATFORM
DISCORD_PLATFORM='${JSON.stringify(platform)}'
`;
}

async function sampleCredentials(fake: FakePlatform): Promise<string> {
  const { id, secret, botToken } = sampleApplication;
  return `DISCORD_CLIENT_ID=${id}
DISCORD_CLIENT_SECRET=${secret}
DISCORD_BOT_TOKEN=${botToken}
LOGIN_SECRET=${randomText()}
DISCORD_PUBLIC_KEY=${await fake.webhookPublicKey(id)}

This application accepts every http redirect URI on localhost, 127.0.0.1 and
[::1], and https://app.example/callback. For other applications and redirect
URIs, use --config, as --help explains.`;
}

/**
 * Returns the ids and public keys. It never shows secrets from a config file, since they may be real. The public keys are derived
 * from the ids.
 */
async function credentialsInFile(
  fake: FakePlatform,
  { path, options: { applications = [] } }: ConfigFile,
): Promise<string> {
  const lines = applications.map(async ({ id }) =>
    `DISCORD_CLIENT_ID=${id}\nDISCORD_PUBLIC_KEY=${await fake.webhookPublicKey(id)}`
  );
  return [
    ...await Promise.all(lines),
    `# The client secrets and bot tokens are in ${path}`,
  ].join("\n");
}
