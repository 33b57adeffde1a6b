/**
 * Installs Debian's packages, for tests of programs that are not in npm.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";

/** A package of Debian. */
export interface DebianPackage {
  readonly name: string;
  /** The path of a program in the package. The package counts as installed if it exists. */
  readonly program: string;
}

const lock = `${tmpdir()}/guildpass_packages.lock`;

/** This machine has no way to install packages. */
export class NoPackagesError extends Error {}

/**
 * Installs the missing packages.
 *
 * @throws {NoPackagesError} Without apt-get, or without the right to use it.
 * @throws {Error} If apt-get fails.
 */
export function installPackages(packages: readonly DebianPackage[]): void {
  const missing = packages.filter(({ program }) => !existsSync(program));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const command = `apt-get install -y --no-install-recommends ${names.join(" ")}`;
  if (spawnSync("apt-get", ["--version"]).status !== 0) {
    throw new NoPackagesError(
      `Could not install ${names.join(", ")}, as this system has no apt-get: install by hand`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new NoPackagesError(
      `Could not install ${names.join(", ")} without being root; run: sudo ${command}`,
    );
  }
  // Standard output belongs to the caller.
  console.error(`Installing ${names.join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const step of ["apt-get update", command]) {
    const [program = "", ...args] = step.split(" ");
    // Another task may install packages at the same time, and apt-get does not always wait for it.
    const { status, stdout, stderr } = spawnSync("flock", [lock, program, ...args], {
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`Could not run ${step}: ${(stderr || stdout).trim()}`);
  }
  const absent = missing.map(({ program }) => program).filter((program) => !existsSync(program));
  if (absent.length > 0) throw new Error(`Could not find ${absent.join(", ")} after ${command}`);
}

/** Returns the version of an installed package. */
export function versionOf(name: string): string {
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f=${Version}", name], {
    encoding: "utf8",
  });
  return status === 0 ? stdout : "of unknown version, as it is not a Debian package";
}
