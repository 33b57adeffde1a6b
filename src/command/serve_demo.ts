/**
 * Runs `guildpass demo`: an example application with a login, on a port of this machine.
 *
 * @module
 */

import { inspect } from "node:util";
import { kindOf } from "../core/arguments.ts";
import { nodeListener } from "../testing/mod.ts";
import { startServer } from "./local_server.ts";
import { withRequestLog } from "./request_log.ts";
import { asCommandError, CommandError, type Terminal } from "./terminal.ts";

/** The options of `guildpass demo`. */
export interface ServeDemoOptions {
  /** The port; `null` for the first free port, from the variable `PORT` or else the default port on. */
  readonly port: number | null;
}

/** The first port to try without the variable `PORT`. */
export const defaultPort = 8787;

/**
 * Starts the demo, and prints the URL to open. Then it prints each request.
 *
 * @throws {CommandError} If no port is free, or an environment variable is wrong.
 */
export async function serveDemo(
  { port: wanted }: ServeDemoOptions,
  terminal: Terminal,
): Promise<void> {
  const { print, printError, environment = {} } = terminal;
  // Loaded here, so that other commands don't load the demo.
  const { startDemo } = await import("../../examples/demo/start.ts");
  const first = readPortVariable(environment["PORT"]);
  await startServer({ wanted, first, isLocalhost: true }, terminal, (port) => {
    const origin = `http://localhost:${port}`;
    const log = (error: unknown) => printError(inspect(error));
    const { handler, wrongAddress, instructions } = asCommandError(() =>
      startDemo(origin, environment, log)
    );
    const onRefusedHost = (name: string) => {
      print(`403: the host ${name} is refused; open ${origin}`);
      return wrongAddress();
    };
    const secrets = ["DISCORD_CLIENT_SECRET", "DISCORD_BOT_TOKEN"]
      .flatMap((name) => environment[name] || []);
    const logged = withRequestLog(handler, secrets, print);
    return { listener: nodeListener(logged, { onRefusedHost }), instructions };
  });
}

function readPortVariable(text: string | undefined): number {
  const port = Number(text || defaultPort);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new CommandError(`PORT must be a number from 1 to 65535, received ${kindOf(text)}`);
  }
  return port;
}
