/**
 * Reads the options of a fake platform from a JSON file.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { FakePlatformOptions } from "../testing/mod.ts";
import { CommandError } from "./terminal.ts";

/** The content of a config file, not checked yet. */
export interface ConfigFile {
  /** The path or file URL, unchanged. */
  readonly path: string;
  /** The options in the file. `createFakePlatform` checks them. */
  readonly options: Omit<FakePlatformOptions, "origin">;
}

/**
 * Reads a config file in UTF-8, or in UTF-16, as PowerShell writes it.
 *
 * @param path A path of this system, or a file URL.
 * @throws {CommandError} If the file can't be read, does not contain a JSON object, or sets `origin`.
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const text = await readText(path);
  const options = parseJson(path, text);
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new CommandError(
      `${path} must contain an object with "applications", "users" or "guilds"`,
    );
  }
  if (Object.hasOwn(options, "origin")) {
    throw new CommandError(
      `${path}: remove origin, because it is always the address of the server`,
    );
  }
  return { path, options };
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(/^file:/i.test(path) ? fileURLToPath(path) : path);
    // A decoder removes the byte order mark, which is not JSON.
    return new TextDecoder(bytes[0] === 0xFF ? "utf-16le" : "utf-8").decode(bytes);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    throw new CommandError(`Can't read ${path}: ${reasons[code] ?? code}`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
};

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(`${path} is not JSON: ${withoutExcerpt(message, text)}`);
  }
}

/**
 * Removes the excerpt of the file from a runtime's error message, since it may contain a secret. V8 shows up to 10 characters on either
 * side of a syntax error instead of its position, so this excerpt is used to find the position.
 */
function withoutExcerpt(message: string, text: string): string {
  const [shown, dots, excerpt = ""] =
    /, (\.\.\.)?"([^]*)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? [];
  // Bun shows an unquoted word.
  if (shown === undefined) return message.replace(/ "[^]*"$/, "");
  const start = text.indexOf(excerpt);
  const isPlaceKnown = dots !== undefined && start === text.lastIndexOf(excerpt);
  const place = isPlaceKnown ? ` (${placeIn(text, start + 10)})` : "";
  return message.slice(0, -shown.length) + place;
}

function placeIn(text: string, position: number): string {
  const before = text.slice(0, position);
  return `line ${before.split("\n").length} column ${position - before.lastIndexOf("\n")}`;
}
