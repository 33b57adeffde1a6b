/**
 * Installs the browsers that the tests drive, from Debian's packages, where they are missing; then prints each with its
 * path and version.
 *
 * @module
 */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

const programs: readonly Program[] = [
  { path: "/usr/bin/chromium", debianPackage: "chromium" },
  { path: "/usr/bin/firefox-esr", debianPackage: "firefox-esr" },
  { path: "/usr/bin/WebKitWebDriver", debianPackage: "webkit2gtk-driver" },
  { path: "/usr/bin/Xvfb", debianPackage: "xvfb" },
];

if (import.meta.main) main();

function main(): void {
  const missing = programs.filter(({ path }) => !existsSync(path));
  if (missing.length > 0) {
    const problem = install(missing.map(({ debianPackage }) => debianPackage));
    if (problem !== undefined) {
      console.error(problem);
      process.exitCode = 1;
      return;
    }
  }
  for (const program of programs) console.log(`${program.path}  ${versionOf(program)}`);
}

interface Program {
  readonly path: string;
  readonly debianPackage: string;
}

/** Installs packages; answers why it could not. */
function install(packages: readonly string[]): string | undefined {
  const command = `apt-get install -y --no-install-recommends ${packages.join(" ")}`;
  const byHand = `${packages.join(", ")} must be installed by hand`;
  if (spawnSync("apt-get", ["--version"]).status !== 0) {
    return `Could not install browsers, as this system has no apt-get: ${byHand}`;
  }
  if (process.getuid?.() !== 0) {
    return `Could not install browsers without being root; run: sudo ${command}`;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  console.log(`Installing ${packages.join(", ")}`);
  for (const step of ["apt-get update", command]) {
    const [program = "", ...args] = step.split(" ");
    const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
    if (status !== 0) return `Could not run ${step}: ${(stderr || stdout).trim()}`;
  }
  const still = programs.filter(({ path }) => !existsSync(path)).map(({ path }) => path);
  if (still.length > 0) return `Could not find ${still.join(", ")} after ${command}`;
  return undefined;
}

/** As Debian knows it: not every one of these programs tells its own. */
function versionOf({ debianPackage }: Program): string {
  try {
    return execFileSync("dpkg-query", ["-W", "-f=${Version}", debianPackage], { encoding: "utf8" });
  } catch {
    return "of unknown version, as it is no Debian package";
  }
}
