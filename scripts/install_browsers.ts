/**
 * Installs the browsers that the tests drive, from Debian's packages, where they are missing; then prints each with its
 * path and version.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";

/** A browser that the tests drive. */
export type Browser = "chromium" | "firefox" | "webkit";

interface DebianPackage {
  readonly name: string;
  /** A program of the package, which is there when the package is. */
  readonly program: string;
}

const packages = {
  chromium: { name: "chromium", program: "/usr/bin/chromium" },
  firefox: { name: "firefox-esr", program: "/usr/bin/firefox-esr" },
  webkit: { name: "webkit2gtk-driver", program: "/usr/bin/WebKitWebDriver" },
  // WebKit's browser has no headless mode, so it needs a screen.
  screen: { name: "xvfb", program: "/usr/bin/Xvfb" },
} as const satisfies Record<Browser | "screen", DebianPackage>;

if (import.meta.main) {
  try {
    installBrowsers();
    for (const { name, program } of Object.values(packages)) {
      console.log(`${program}  ${versionOf(name)}`);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** Thrown when this machine has no way to install a browser. */
export class NoBrowsersError extends Error {}

/**
 * Installs what is missing.
 *
 * @throws {NoBrowsersError} Without apt-get, or without the right to use it.
 * @throws {Error} When apt-get fails.
 */
export function installBrowsers(): void {
  const missing = Object.values(packages).filter(({ program }) => !existsSync(program));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const command = `apt-get install -y --no-install-recommends ${names.join(" ")}`;
  if (spawnSync("apt-get", ["--version"]).status !== 0) {
    throw new NoBrowsersError(
      `Could not install browsers, as this system has no apt-get: install ${
        names.join(", ")
      } by hand`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new NoBrowsersError(
      `Could not install browsers without being root; run: sudo ${command}`,
    );
  }
  // On standard error, as only paths and versions go to standard output.
  console.error(`Installing ${names.join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const step of ["apt-get update", command]) {
    const [program = "", ...args] = step.split(" ");
    const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`Could not run ${step}: ${(stderr || stdout).trim()}`);
  }
  const absent = missing.map(({ program }) => program).filter((program) => !existsSync(program));
  if (absent.length > 0) throw new Error(`Could not find ${absent.join(", ")} after ${command}`);
}

/** The version of a browser, in numbers and dots. */
export function browserVersion(browser: Browser): string {
  return /^[\d.]+/.exec(versionOf(packages[browser].name))?.[0] ?? "unknown";
}

/** The version that Debian gives a package: WebKit's browser has no option that prints its own. */
function versionOf(name: string): string {
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f=${Version}", name], {
    encoding: "utf8",
  });
  return status === 0 ? stdout : "of unknown version, as it is no Debian package";
}
