/**
 * Asks git about a file, if the folder is in a repository. Without git, no file is tracked or ignored.
 *
 * @module
 */

import { execFile } from "node:child_process";

/** Returns true if git tracks a file, even if the file was deleted. */
export async function isTracked(folder: string, path: string): Promise<boolean> {
  return await succeeds(folder, ["ls-files", "--error-unmatch", "--", path]);
}

/** Returns true if git ignores a file. */
export async function isIgnored(folder: string, path: string): Promise<boolean> {
  return await succeeds(folder, ["check-ignore", "--quiet", "--", path]);
}

function succeeds(folder: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("git", ["-C", folder, ...args], (error) => resolve(error === null));
  });
}
