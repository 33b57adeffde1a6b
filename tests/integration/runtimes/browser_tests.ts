/**
 * Runs the smoke suite against the packed package in real browsers, and the tests of the pages of the examples.
 *
 * @module
 */

import { NoPackagesError } from "../../../scripts/debian_packages.ts";
import { browserVersion, installBrowsers } from "../../../scripts/install_browsers.ts";
import { type BrowserName, browserNames, openBrowser } from "../../support/browsers.ts";
import { openPagesOfGuide } from "./page_of_guide.ts";
import { servePlatform } from "./platform_server.ts";
import type { Project } from "./project.ts";
import { type RuntimeTest, UnavailableError } from "./report.ts";
import { runVitest } from "./vitest.ts";

/** Creates the tests for a project with the package in it. The browsers stay open, for `closeBrowsers()`. */
export function browserTests(project: Project): RuntimeTest[] {
  return [
    ...browserNames.map((name): RuntimeTest => ({
      runtime: displayNames[name],
      title: "smoke tests, bundled into a page",
      async run() {
        install();
        return [browserVersion(name), await smoke(name, project)];
      },
    })),
    ...browserNames.map((name): RuntimeTest => ({
      runtime: displayNames[name],
      title: "pages without a bundler",
      async run() {
        install();
        return [browserVersion(name), await openPagesOfGuide(name, project)];
      },
    })),
    {
      runtime: "browsers",
      title: "example pages and logins",
      async run() {
        install();
        const deno = [Deno.execPath(), "run", "-A", "npm:vitest@^5.1.0"] as const;
        const { passed } = await runVitest(deno, "--config", "vitest.browser.config.ts");
        const versions = browserNames.map((name) => browserVersion(name).split(".")[0]);
        return [versions.join(", "), passed];
      },
    },
  ];
}

async function smoke(name: BrowserName, project: Project): Promise<string> {
  await using platform = await servePlatform(await project.bundle("page.ts", "esm"));
  const browser = await openBrowser(name);
  try {
    await browser.goto(`${platform.origin}/`);
    const names = await Promise.race([platform.pageResult, rejectAfter(120_000)]);
    return `${JSON.parse(names).length} checks`;
  } finally {
    await browser.close();
  }
}

function install(): void {
  try {
    installBrowsers();
  } catch (error) {
    throw error instanceof NoPackagesError ? new UnavailableError(error.message) : error;
  }
}

const displayNames: Readonly<Record<BrowserName, string>> = {
  chromium: "Chromium",
  firefox: "Firefox",
  webkit: "WebKit",
};

function rejectAfter(milliseconds: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = () => reject(new Error(`The page sent no result within ${milliseconds} ms`));
    Deno.unrefTimer(setTimeout(giveUp, milliseconds));
  });
}
