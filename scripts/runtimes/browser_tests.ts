/**
 * The smoke suite against the packed package in real browsers.
 *
 * @module
 */

import { type BrowserName, browserNames, openBrowser } from "../../tests/support/browsers.ts";
import { servePlatform } from "./platform_server.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";

/** The tests, for a project with the package in it. */
export function browserTests(project: Project): RuntimeTest[] {
  return browserNames.map((name) => ({
    runtime: displayNames[name],
    what: "the packed package, bundled into a page",
    async run() {
      await using platform = await servePlatform(await project.bundle("page.ts", "esm"));
      const browser = await openBrowser(name);
      try {
        await browser.goto(`${platform.origin}/`);
        const found = await Promise.race([platform.page, silence(30_000)]);
        const userAgent = String(await browser.execute("return navigator.userAgent"));
        return [versions[name].exec(userAgent)?.[1] ?? "", `${JSON.parse(found).length} checks`];
      } finally {
        await browser.close();
      }
    },
  }));
}

const displayNames: Readonly<Record<BrowserName, string>> = {
  chromium: "Chromium",
  firefox: "Firefox",
  webkit: "WebKit",
};

const versions: Readonly<Record<BrowserName, RegExp>> = {
  chromium: /Chrome\/([\d.]+)/,
  firefox: /Firefox\/([\d.]+)/,
  webkit: /Version\/([\d.]+)/,
};

function silence(milliseconds: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The page told nothing for ${milliseconds} ms`)),
      milliseconds,
    );
    Deno.unrefTimer(timer);
  });
}
