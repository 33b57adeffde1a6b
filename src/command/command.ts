/**
 * What the program `guildpass` does, given its arguments.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { readConfig } from "./config_file.ts";
import { serveFake } from "./serve_fake.ts";
import { CommandError, type Terminal } from "./terminal.ts";

/**
 * Runs a command, and gives the exit code: 0, or 2 when it could not start. A server that was started goes on.
 *
 * @param args The arguments after the name of the program.
 */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const { positionals: [command, ...others], values } = readArguments(args);
    if (values.help) {
      terminal.print(helpText);
      return 0;
    }
    if (command !== "fake" || others.length > 0) {
      const found = [command, ...others].join(" ");
      throw new CommandError(
        found === ""
          ? `No command was given${helpHint}`
          : `There is no command ${JSON.stringify(found)}${helpHint}`,
      );
    }
    await serveFake({
      port: values.port === undefined ? null : readPort(values.port),
      config: values.config === undefined ? null : await readConfig(values.config),
      webhookUrl: values["webhook-url"] ?? null,
    }, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.complain(error.message);
    return 2;
  }
}

const helpHint = "; --help shows how it is used";

const helpText = `Usage: guildpass fake [--port <number>] [--config <file> | --webhook-url <url>]

Serves a fake platform on this machine, for an application in any language: a login can be
developed and tested with no account anywhere.

  --port <number>   The port. Without it 8788, or the next one that is free; 0 is any free port
  --config <file>   A JSON file with the applications, users and guilds there shall be, and with
                    any other option of createFakePlatform that JSON can hold
  --webhook-url <url>
                    Where to send APPLICATION_DEAUTHORIZED when a token is revoked; in a config
                    file, "webhookEvents" of an application is the same
  -h, --help        Shows this

A config file:

  {
    "applications": [{
      "id": "1100000000000000001",
      "secret": "not a real one",
      "redirectUris": ["http://localhost:3000/callback"]
    }],
    "users": [{ "id": "1000000000000000001", "username": "ada" }]
  }`;

const optionTypes = {
  port: { type: "string" },
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
    // It says which argument is wrong; its second sentence is about file names that look like options.
    const [reason = ""] = (error as Error).message.split(". ");
    throw new CommandError(reason + helpHint);
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new CommandError(
      `--port must be a number from 0 to 65535: found ${JSON.stringify(text)}`,
    );
  }
  return port;
}
