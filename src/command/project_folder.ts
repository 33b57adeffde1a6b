/**
 * Writes new files into the folder of an application. It replaces no file, and follows no link out of the folder.
 *
 * @module
 */

import {
  appendFile,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
} from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { CommandError } from "./terminal.ts";

/** A file to write. */
export interface NewFile {
  /** The path in the folder, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The permissions. @default {those of the process} */
  readonly mode?: number;
}

/** The folder of an application. */
export class ProjectFolder {
  /** The absolute path, without links. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Opens an existing folder. */
  static async open(path: string): Promise<ProjectFolder> {
    return new ProjectFolder(await realpath(path));
  }

  /**
   * Returns true if there is something at a path: a file, a folder, or a link that may lead nowhere.
   *
   * @throws {CommandError} If the path leads out of the folder, or through something that is not a folder.
   */
  async has(path: string): Promise<boolean> {
    const names = path.split("/");
    for (let depth = 1; depth < names.length; depth++) {
      const parent = names.slice(0, depth).join("/");
      if (!(await this.#exists(parent))) return false;
      await this.#checkFolder(parent);
    }
    return await this.#exists(path);
  }

  /** Reads a file, or returns `null` if it is missing. */
  async read(path: string): Promise<string | null> {
    if (!(await this.has(path))) return null;
    return await asCommandError(`Can't read ${path}`, readFile(join(this.path, path), "utf8"));
  }

  /** Writes all files, or none of them. The folders that they need are created. */
  async write(files: readonly NewFile[]): Promise<void> {
    const undo: (() => Promise<void>)[] = [];
    try {
      for (const { path, text, mode } of files) {
        const file = join(this.path, path);
        const created = await mkdir(dirname(file), { recursive: true });
        if (created) undo.push(() => this.#removeFolders(dirname(file), dirname(created)));
        const opened = await open(file, "wx", mode ?? 0o666);
        // A full disk leaves an empty file.
        undo.push(() => rm(file));
        await opened.writeFile(text).finally(() => opened.close());
      }
    } catch (error) {
      for (const step of undo.reverse()) await step();
      throw new CommandError(`No file was written: ${reasonOf(error)}`);
    }
  }

  /** Adds a line to a text file, or creates the file. */
  async addLine(path: string, line: string): Promise<void> {
    const text = await this.read(path) ?? "";
    const separator = text === "" || text.endsWith("\n") ? "" : "\n";
    await asCommandError(
      `Can't write ${path}`,
      appendFile(join(this.path, path), `${separator}${line}\n`),
    );
  }

  /** Returns true for a link. */
  async isLink(path: string): Promise<boolean> {
    const found = await lstat(join(this.path, path)).catch(() => null);
    return found?.isSymbolicLink() === true;
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await lstat(join(this.path, path));
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return false;
      throw new CommandError(`Can't read ${path}: ${reasonOf(error)}`);
    }
  }

  async #checkFolder(path: string): Promise<void> {
    const real = await realpath(join(this.path, path)).catch(() => null);
    const way = real === null ? ".." : relative(this.path, real);
    if (/^\.\.([\\/]|$)/.test(way) || isAbsolute(way)) {
      throw new CommandError(`${path} is a link out of this folder. Nothing was written`);
    }
    if (!(await stat(join(this.path, path))).isDirectory()) {
      throw new CommandError(`${path} is not a folder. Nothing was written`);
    }
  }

  /** Removes created folders, the innermost first, and stops at a folder that already existed. */
  async #removeFolders(from: string, to: string): Promise<void> {
    for (let folder = from; folder !== to; folder = dirname(folder)) await rmdir(folder);
  }
}

async function asCommandError<Value>(failure: string, result: Promise<Value>): Promise<Value> {
  try {
    return await result;
  } catch (error) {
    throw new CommandError(`${failure}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return (error as Error).message;
}
