/**
 * Reads the arguments of the program `guildpass`, and runs the command.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { randomText } from "../core/base64url.ts";
import { misspelledName } from "../core/did_you_mean.ts";
import { version } from "../core/version.ts";
import { parseHostname } from "../testing/world/origin.ts";
import { readConfigFile } from "./config_file.ts";
import { demoHelp, fakeHelp, initHelp, overview, secretHelp, versionHelp } from "./help.ts";
import { init } from "./init.ts";
import { serveDemo } from "./serve_demo.ts";
import { serveFake } from "./serve_fake.ts";
import { asCommandError, CommandError, type Terminal, withoutControls } from "./terminal.ts";

/**
 * Runs a command. A started server keeps running after the promise resolves.
 *
 * @param args The arguments after the name of the program.
 * @returns The exit code: 0, or 2 if the command could not start.
 */
export async function runCommand(args: readonly string[], rawTerminal: Terminal): Promise<number> {
  const terminal = withoutControls(rawTerminal);
  try {
    await run(readArguments(args), terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.printError(error.message);
    return 2;
  }
}

async function run({ positionals, values }: Arguments, terminal: Terminal): Promise<void> {
  const { version: showsVersion, help: showsHelp, ...options } = values;
  const isHelp = positionals[0] === "help";
  const [name, ...others] = isHelp ? positionals.slice(1) : positionals;
  if (showsVersion) terminal.print(version);
  else if (name === undefined) {
    const [option] = Object.keys(options);
    if (option !== undefined) {
      throw new CommandError(`--${option} needs a command before it${helpHint}`);
    }
    terminal.print(overview);
  } else if (isHelp || showsHelp) terminal.print(findCommand(name).help);
  else {
    const command = findCommand(name);
    checkArguments(name, command, others, Object.keys(options));
    await command.run(options, terminal, others[0]);
  }
}

const optionTypes = {
  port: { type: "string" },
  host: { type: "string", multiple: true },
  config: { type: "string" },
  "webhook-url": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

type Arguments = ReturnType<
  typeof parseArgs<{ options: typeof optionTypes; allowPositionals: true }>
>;

type Options = Omit<Arguments["values"], "help" | "version">;

interface Command {
  readonly help: string;
  readonly options: readonly (keyof Options)[];
  /** True if the command accepts an argument. */
  readonly takesWord?: true;
  run(options: Options, terminal: Terminal, word: string | undefined): void | Promise<void>;
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["demo", {
    help: demoHelp,
    options: ["port"],
    run: ({ port }, terminal) => serveDemo({ port: readPort(port) }, terminal),
  }],
  ["fake", {
    help: fakeHelp,
    options: ["port", "host", "config", "webhook-url"],
    run: async ({ port, host, config, "webhook-url": webhookUrl }, terminal) =>
      await serveFake({
        port: readPort(port),
        config: config === undefined ? null : await readConfigFile(config),
        webhookUrl: webhookUrl ?? null,
        hosts: (host ?? []).map((name) => asCommandError(() => parseHostname(name, "--host"))),
      }, terminal),
  }],
  ["init", {
    help: initHelp,
    options: [],
    takesWord: true,
    run: (_options, terminal, word) => init(word, terminal),
  }],
  ["secret", { help: secretHelp, options: [], run: (_options, { print }) => print(randomText()) }],
  ["version", { help: versionHelp, options: [], run: (_options, { print }) => print(version) }],
]);

const helpHint = "; see --help";

function readArguments(args: readonly string[]): Arguments {
  const config = { args: [...args], options: optionTypes, allowPositionals: true } as const;
  // The strict parser's own errors have several sentences, in the words of its runtime.
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind === "option") checkOption(token);
  }
  return parseArgs(config);
}

/** Checks an option's name, and that it has a value if it needs one. */
function checkOption(
  { name, rawName, value, inlineValue }: {
    readonly name: string;
    readonly rawName: string;
    readonly value: string | undefined;
    readonly inlineValue: boolean | undefined;
  },
): void {
  const type = new Map(Object.entries(optionTypes)).get(name)?.type;
  if (type === undefined) {
    const known = Object.keys(optionTypes).map((option) => `--${option}`);
    throw new CommandError(`There is no option ${rawName}${hintFor(name, known)}`);
  }
  if (type === "boolean" && value !== undefined) {
    throw new CommandError(`${rawName} takes no value${helpHint}`);
  }
  if (type === "string" && (value === undefined || (!inlineValue && value.startsWith("-")))) {
    throw new CommandError(`${rawName} needs a value${helpHint}`);
  }
}

function findCommand(name: string): Command {
  const command = commands.get(name);
  if (command !== undefined) return command;
  throw new CommandError(
    `There is no command "${name}"${hintFor(name, [...commands.keys(), "help"])}`,
  );
}

/** Returns a hint with the known name that a word misspells, or else the hint about the help. */
function hintFor(word: string, known: readonly string[]): string {
  const meant = misspelledName(word, known);
  return meant === undefined ? helpHint : `: did you mean ${meant}?`;
}

function checkArguments(
  name: string,
  command: Command,
  words: readonly string[],
  options: readonly string[],
): void {
  const extra = command.takesWord ? words[1] : words[0];
  if (extra !== undefined) {
    const expected = command.takesWord ? "one word" : "options";
    throw new CommandError(
      `${name} takes ${expected} only, received "${extra}"; see ${name} --help`,
    );
  }
  const foreign = options.find((option) => !command.options.some((known) => known === option));
  if (foreign !== undefined) {
    throw new CommandError(`--${foreign} is not an option of ${name}; see ${name} --help`);
  }
}

function readPort(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new CommandError(`--port must be a number from 0 to 65535, received "${text}"`);
  }
  return port;
}
