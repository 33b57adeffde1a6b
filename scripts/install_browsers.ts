/**
 * Installs the browsers that the tests drive, from Debian's packages, where they are missing; then prints each with its
 * path and version.
 *
 * @module
 */

import process from "node:process";
import { type DebianPackage, installPackages, versionOf } from "./debian_packages.ts";

/** A browser that the tests drive. */
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
 * Installs what is missing.
 *
 * @throws What `installPackages` throws.
 */
export function installBrowsers(): void {
  installPackages(Object.values(packages));
}

/** The version of a browser, in numbers and dots. WebKit's browser has no option that prints it. */
export function browserVersion(browser: Browser): string {
  return /^[\d.]+/.exec(versionOf(packages[browser].name))?.[0] ?? "unknown";
}
