/**
 * Installs packages exactly as a lock file of npm says.
 *
 * @module
 */

import { run } from "./command.ts";

/** The part of a lock file that {@link npmCi} reads. */
interface NpmLock {
  readonly packages: Readonly<Record<string, NpmPackage>>;
}

/** A package in a lock file. */
interface NpmPackage {
  /** Its name, if it is installed by another one. */
  readonly name?: string;
  readonly version?: string;
  /** True if the package around it brings it along. */
  readonly inBundle?: boolean;
}

/**
 * Installs the packages of a lock file in a folder with a `package.json`.
 *
 * The kept lock files have no addresses. This adds them: otherwise npm reads the list of all versions of each package to find its
 * address, which takes as long as everything else.
 *
 * @throws {Error} If the lock file lacks a package of `package.json`, or if a digest differs.
 */
export async function npmCi(folder: URL, lockFile: URL): Promise<void> {
  const lock: NpmLock = JSON.parse(await Deno.readTextFile(lockFile));
  const registry = (await run(["npm", "config", "get", "registry"])).trim().replace(/\/?$/, "/");
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const { name = path.split("node_modules/").at(-1) ?? "", version, inBundle } = entry;
    if (path === "" || inBundle) return [path, entry];
    const file = `${name.split("/").at(-1)}-${version}.tgz`;
    return [path, { ...entry, resolved: new URL(`${name}/-/${file}`, registry).href }];
  });
  await Deno.writeTextFile(
    new URL("package-lock.json", folder),
    JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }),
  );
  await run(["npm", "ci", "--no-audit", "--no-fund"], { cwd: folder });
}
