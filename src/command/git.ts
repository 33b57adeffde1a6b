/**
 * Asks git about a file, if the folder is in a repository. Without git, no file is tracked or ignored.
 *
 * @module
 */

import { execFile } from "node:child_process";

/** Returns true if git tracks a file, even if the file was deleted. */
export async function isTracked(folder: string, path: string): Promise<boolean> {
  return await exitCodeOf(folder, ["ls-files", "--error-unmatch", "--", path]) === 0;
}

/** Returns true if git ignores a file. Returns `null` without git, or outside of a repository. */
export async function isIgnored(folder: string, path: string): Promise<boolean | null> {
  const code = await exitCodeOf(folder, ["check-ignore", "--quiet", "--", path]);
  return code === 0 || code === 1 ? code === 0 : null;
}

/** Returns the exit code of git, or an error code of the system. */
function exitCodeOf(folder: string, args: readonly string[]): Promise<unknown> {
  // The configuration of a repository may name a program, which git would run.
  const safeArgs = ["-c", "core.fsmonitor=false", "-C", folder, ...args];
  return new Promise((resolve) => {
    execFile("git", safeArgs, (error) => resolve(error === null ? 0 : error.code));
  });
}
