/**
 * Reads the arguments of the program `guildpass`, and runs the command.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { toBase64Url } from "../core/base64url.ts";
import { parseHostname } from "../testing/world/origin.ts";
import { readConfigFile } from "./config_file.ts";
import { defaultPort as demoPort, serveDemo } from "./serve_demo.ts";
import { defaultPort as fakePort, serveFake } from "./serve_fake.ts";
import { CommandError, type Terminal } from "./terminal.ts";

/**
 * Runs a command. A started server keeps running after the promise resolves.
 *
 * @param args The arguments after the name of the program.
 * @returns The exit code: 0, or 2 if the command could not start.
 */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const { positionals, values } = readArguments(args);
    if (values.help) {
      terminal.print(helpText);
      return 0;
    }
    const run = commands.get(positionals.join(" "));
    if (run === undefined) {
      const found = positionals.length === 0 ? "none" : JSON.stringify(positionals.join(" "));
      throw new CommandError(`The command must be demo, fake or secret: found ${found}${helpHint}`);
    }
    await run(values, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.printError(error.message);
    return 2;
  }
}

type Command = (values: Arguments["values"], terminal: Terminal) => Promise<void>;

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["demo", runDemo],
  ["fake", runFake],
  ["secret", printSecret],
]);

async function runDemo(values: Arguments["values"], terminal: Terminal): Promise<void> {
  checkOptions("demo", values, ["port"]);
  await serveDemo({ port: readPort(values.port) }, terminal);
}

async function runFake(values: Arguments["values"], terminal: Terminal): Promise<void> {
  await serveFake({
    port: readPort(values.port),
    config: values.config === undefined ? null : await readConfigFile(values.config),
    webhookUrl: values["webhook-url"] ?? null,
    hosts: (values.host ?? []).map(readHost),
  }, terminal);
}

/** Prints 32 random bytes as text, and nothing else, so that the output can be stored. */
function printSecret(values: Arguments["values"], { print }: Terminal): Promise<void> {
  checkOptions("secret", values, []);
  print(toBase64Url(crypto.getRandomValues(new Uint8Array(32))));
  return Promise.resolve();
}

function checkOptions(
  command: string,
  values: Arguments["values"],
  known: readonly string[],
): void {
  const other = Object.keys(values).find((name) => !known.includes(name));
  if (other !== undefined) {
    throw new CommandError(`--${other} is not an option of ${command}${helpHint}`);
  }
}

const helpHint = "; see --help";

const helpText = `Usage: guildpass demo [--port <number>]
       guildpass fake [--port <number>] [--host <name>]
                      [--config <file> | --webhook-url <url>]
       guildpass secret

demo serves an application with a login, the guilds of the person who logs in, and the invite
builder. It brings a fake platform, so you need no account.

  --port <number>   The port. The default is ${demoPort}, or the next one that is free. 0 takes any
                    free port

With DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET in the environment, the demo runs on the real
platform, where the redirect URI http://localhost:${demoPort}/callback must be registered. With
DISCORD_BOT_TOKEN too, it shows details of guilds there. PORT sets the default port.

fake serves a fake platform on this machine, for applications in any language. You can develop
and test a login without an account.

  --port <number>   The port. The default is ${fakePort}, or the next one that is free. 0 takes any
                    free port
  --host <name>     Another host to serve, such as a name in /etc/hosts or of a proxy. It can be
                    repeated. Without it, only localhost, *.localhost, 127.0.0.1 and [::1] are
                    served, since any site can give its own name to an address of this machine
  --config <file>   A JSON file with the applications, users and guilds, and with any other
                    option of createFakePlatform except functions
  --webhook-url <url>
                    The address that gets APPLICATION_DEAUTHORIZED when a token is revoked. In a
                    config file, use "webhookEvents" of an application

  -h, --help        Shows this help

A config file of fake:

  {
    "applications": [{
      "id": "1100000000000000001",
      "secret": "not a real one",
      "redirectUris": ["http://localhost:3000/callback"]
    }],
    "users": [{ "id": "1000000000000000001", "username": "ada" }]
  }

secret prints a new login secret: 32 random bytes, as 43 characters of base64url.`;

const optionTypes = {
  port: { type: "string" },
  host: { type: "string", multiple: true },
  config: { type: "string" },
  "webhook-url": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

type Arguments = ReturnType<
  typeof parseArgs<{ options: typeof optionTypes; allowPositionals: true }>
>;

function readArguments(args: readonly string[]): Arguments {
  try {
    return parseArgs({ args: [...args], options: optionTypes, allowPositionals: true });
  } catch (error) {
    // The first sentence names the wrong argument. The other sentences explain values that look like options.
    const [reason = ""] = (error as Error).message.split(/\.\s/);
    throw new CommandError(reason + helpHint);
  }
}

function readHost(name: string): string {
  try {
    return parseHostname(name, "--host");
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

function readPort(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new CommandError(
      `--port must be a number from 0 to 65535: found ${JSON.stringify(text)}`,
    );
  }
  return port;
}
