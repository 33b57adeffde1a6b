/**
 * Reads the options of a fake platform from a JSON file.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import type { FakePlatformOptions } from "../testing/mod.ts";
import { findJsonError } from "./json_error.ts";
import { CommandError } from "./terminal.ts";

/** A file of options, read but not checked. */
export interface Config {
  /** The path as it was given. */
  readonly path: string;
  /** What the file holds. `createFakePlatform` checks it. */
  readonly options: Omit<FakePlatformOptions, "origin">;
}

/** @throws {CommandError} When the file can't be read, or is not a JSON object. */
export async function readConfig(path: string): Promise<Config> {
  // Editors on Windows begin a file with a byte order mark, which is not JSON.
  const text = (await read(path)).replace(/^\uFEFF/, "");
  const error = findJsonError(text);
  if (error !== null) {
    const { line, column, found } = error;
    throw new CommandError(`${path}, line ${line}, column ${column}: not JSON: found ${found}`);
  }
  const options: unknown = JSON.parse(text);
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new CommandError(`${path} must hold an object, with "applications", "users" or "guilds"`);
  }
  if (Object.hasOwn(options, "origin")) {
    throw new CommandError(`${path}: origin is the address that is served: leave it out`);
  }
  return { path, options };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code = "" } = error as { code?: string };
    throw new CommandError(`Can't read ${path}: ${reasons[code] ?? code}`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "no permission",
};
