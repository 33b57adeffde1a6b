/**
 * The smoke suite against the packed package in real browsers, and the page of the invite builder.
 *
 * @module
 */

import { type BrowserName, browserNames, openBrowser } from "../support/browsers.ts";
import { run } from "../../scripts/command.ts";
import { servePlatform } from "./platform_server.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { Unavailable } from "./tools.ts";
import { vitest } from "./vitest.ts";

/** The tests, for a project with the package in it. */
export function browserTests(project: Project): RuntimeTest[] {
  const install = once(installBrowsers);
  return [
    ...browserNames.map((name): RuntimeTest => ({
      runtime: displayNames[name],
      what: "the packed package, bundled into a page",
      run: async () => [versionOf(name, await install()), await smoke(name, project)],
    })),
    {
      runtime: "browsers",
      what: "the invite builder, in all three",
      async run() {
        await install();
        const deno = [Deno.execPath(), "run", "-A", "npm:vitest@^5.1.0"] as const;
        return ["", await vitest(deno, "--config", "vitest.browser.config.ts")];
      },
    },
  ];
}

async function smoke(name: BrowserName, project: Project): Promise<string> {
  await using platform = await servePlatform(await project.bundle("page.ts", "esm"));
  const browser = await openBrowser(name);
  try {
    await browser.goto(`${platform.origin}/`);
    const found = await Promise.race([platform.page, silence(30_000)]);
    return `${JSON.parse(found).length} checks`;
  } finally {
    await browser.close();
  }
}

/** Gives the lines that tell path and version of each program. */
async function installBrowsers(): Promise<string> {
  try {
    return await run([Deno.execPath(), "run", "-A", "scripts/install_browsers.ts"]);
  } catch (error) {
    // Without apt-get, or without the right to use it, they can't be had; any other trouble is a failure.
    const reason = /^Could not install browsers.*/m.exec(String(error))?.[0];
    throw reason ? new Unavailable(reason) : error;
  }
}

const displayNames: Readonly<Record<BrowserName, string>> = {
  chromium: "Chromium",
  firefox: "Firefox",
  webkit: "WebKit",
};

function versionOf(name: BrowserName, programs: string): string {
  const line = programs.split("\n").find((line) => line.toLowerCase().includes(name));
  return line?.match(/\s([\d.]+)/)?.[1] ?? "";
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => made ??= make();
}

function silence(milliseconds: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(new Error(`The page told nothing for ${milliseconds} ms`));
    Deno.unrefTimer(setTimeout(give, milliseconds));
  });
}
