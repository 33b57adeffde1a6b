/**
 * Replaces the module that reads files. The demo in a page serves none: its pages work without their scripts, and the invite
 * builder is a page of its own.
 *
 * @module
 */

export function moduleAddress(path: string): string {
  return `/${path}`;
}

export function serveModule(): null {
  return null;
}

export function readRepositoryFile(path: string): Promise<string> {
  return Promise.reject(new Error(`A page can't read ${path}`));
}
