/**
 * `guildpass fake`: a fake platform on a port of this machine.
 *
 * @module
 */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
} from "../testing/mod.ts";
import type { Config } from "./config_file.ts";
import { logLine } from "./request_log.ts";
import { CommandError, type Terminal } from "./terminal.ts";

/** What `guildpass fake` takes. */
export interface ServeFakeOptions {
  /** `null` for the usual port, or the next one that is free. */
  readonly port: number | null;
  /** `null` for the sample application and users. */
  readonly config: Config | null;
  /** Where the sample application takes webhook events; `null` for nowhere. */
  readonly webhookUrl: string | null;
}

/** Not 8787 or 3000, which the application itself is likely to use. */
const usualPort = 8788;
const lastPort = usualPort + 100;

/**
 * Starts the platform and prints what an application needs to use it.
 *
 * @throws {CommandError} When there is no free port, or the config is not one of a platform.
 */
export async function serveFake(
  { port, config, webhookUrl }: ServeFakeOptions,
  { print, signal }: Terminal,
): Promise<void> {
  if (webhookUrl !== null) checkWebhookUrl(webhookUrl, config);
  const server = createServer();
  const origin = `http://${loopback}:${await listen(server, port)}`;
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  signal?.addEventListener("abort", stop);
  try {
    const webhookEvents = webhookUrl === null ? null : deliverer(webhookUrl, print);
    const fake = createPlatform(config, webhookEvents, origin);
    const handler = logged(fake, secretsOf(config), print);
    server.on("request", nodeListener(handler, { origin }));
    print(introduction(fake, config, origin));
    // What checks the signature of an event.
    if (webhookUrl !== null) print(`DISCORD_PUBLIC_KEY=${await fake.webhookPublicKey()}\n`);
  } catch (error) {
    stop();
    throw error;
  }
}

/** The server listens here only, so that no other machine can reach it. */
const loopback = "127.0.0.1";

/** Listens on the port, or on the first free one from the usual one on, and gives it. */
async function listen(server: Server, wanted: number | null): Promise<number> {
  let port = wanted ?? usualPort;
  for (;;) {
    try {
      await once(server.listen(port, loopback), "listening");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (wanted !== null || port === lastPort) {
        const { message } = error as Error;
        throw new CommandError(`Can't use port ${port}: ${message}; --port takes another one`);
      }
      port++;
    }
  }
}

function checkWebhookUrl(url: string, config: Config | null): void {
  if (config !== null) {
    throw new CommandError(
      `--webhook-url is for the sample application: in ${config.path}, give an application "webhookEvents"`,
    );
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new CommandError(`--webhook-url must be an http address: found ${JSON.stringify(url)}`);
  }
}

/** Sends events to an address, and says what came of each. */
function deliverer(
  url: string,
  print: (line: string) => void,
): (event: Request) => Promise<Response> {
  return async (event) => {
    const { method, headers } = event;
    try {
      const answer = await fetch(url, { method, headers, body: await event.text() });
      print(`Event to ${url}: answered with ${answer.status}`);
      return answer;
    } catch (error) {
      print(`Event to ${url}: not delivered`);
      throw error;
    }
  };
}

function createPlatform(
  config: Config | null,
  webhookEvents: ((event: Request) => Promise<Response>) | null,
  origin: string,
): FakePlatform {
  const application = { ...sampleApplication, ...(webhookEvents && { webhookEvents }) };
  try {
    return createFakePlatform({ applications: [application], ...config?.options, origin });
  } catch (error) {
    throw new CommandError(`${config?.path}: ${(error as Error).message}`);
  }
}

function secretsOf(config: Config | null): string[] {
  return (config?.options.applications ?? [sampleApplication]).flatMap(({ secret, botToken }) =>
    [secret, botToken].filter((one) => typeof one === "string")
  );
}

function logged(
  fake: FakePlatform,
  secrets: readonly string[],
  print: (line: string) => void,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, url } = request;
    const start = performance.now();
    let status: number | null = null;
    try {
      const response = await fake.fetch(request);
      status = response.status;
      return response;
    } finally {
      print(logLine({ method, url, status, milliseconds: performance.now() - start }, secrets));
    }
  };
}

function introduction({ platform }: FakePlatform, config: Config | null, origin: string): string {
  return `Fake platform on ${origin} (Ctrl-C stops it)

Authorize page  ${platform.authorizeUrl}
API             ${platform.apiUrl}
CDN             ${platform.cdnUrl}
Token           ${platform.apiUrl}/oauth2/token
Discovery       ${origin}/.well-known/openid-configuration

${config?.options.applications ? credentialsInFile(config) : sampleCredentials()}
`;
}

function sampleCredentials(): string {
  const { id, secret, botToken, redirectUris } = sampleApplication;
  return `DISCORD_CLIENT_ID=${id}
DISCORD_CLIENT_SECRET=${secret}
DISCORD_BOT_TOKEN=${botToken}

This application may redirect to ${redirectUris.join(", ")}.
Other applications, with other redirect URIs, are given with --config: see --help.`;
}

/** Only the ids, since the secrets in a user's own file may be real. */
function credentialsInFile({ path, options: { applications = [] } }: Config): string {
  return [
    ...applications.map(({ id }) => `DISCORD_CLIENT_ID=${id}`),
    `# The client secret and the bot token are those in ${path}`,
  ].join("\n");
}
