/**
 * Installs the missing browsers for the tests from Debian's packages, and prints the path and version of each.
 *
 * @module
 */

import process from "node:process";
import { type DebianPackage, installPackages, versionOf } from "./debian_packages.ts";

/** A browser that the tests use. */
export type Browser = "chromium" | "firefox" | "webkit";

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

/**
 * Installs the missing browsers.
 *
 * @throws The errors of `installPackages`.
 */
export function installBrowsers(): void {
  installPackages(Object.values(packages));
}

/** Returns the version of a browser, such as `128.4.0`. WebKit's browser has no option that prints it. */
export function browserVersion(browser: Browser): string {
  return /^[\d.]+/.exec(versionOf(packages[browser].name))?.[0] ?? "unknown";
}
