/**
 * Pages in real browsers behind one interface: Chromium and Firefox through playwright, WebKit through WebDriver.
 *
 * @module
 */

import { type Browser, type BrowserContext, chromium, firefox, type Page } from "playwright";
import { keys, openWebKit, type WebDriver } from "./webdriver.ts";

/** The browsers in Debian's packages. */
export const browserNames = ["chromium", "firefox", "webkit"] as const;

/** One of {@link browserNames}. */
export type BrowserName = (typeof browserNames)[number];

/** The appearance of a page. */
export interface BrowserOptions {
  /** True if the page sees `prefers-color-scheme: dark`. @default {false} */
  readonly dark?: boolean;
  /** The width of the page in pixels. @default {1280} */
  readonly width?: number;
  /** The language and the time zone of the person, in Chromium only. @default {those of this machine} */
  readonly place?: { readonly locale: string; readonly timezoneId: string };
  /** True if Back shows the page from the memory of the browser. @default {as the browser is started by its driver} */
  readonly backForwardCache?: boolean;
}

/** A page in a real browser. */
export interface BrowserPage {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  url(): Promise<string>;
  /** Runs the body of a function in the page, and returns its result. A promise is awaited. */
  execute(body: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  /** Types into an element, after its text. */
  type(selector: string, text: string): Promise<void>;
  /** Presses keys one after the other in the focused element. */
  press(...pressed: readonly Key[]): Promise<void>;
  screenshot(): Promise<Uint8Array>;
  /** Runs an action that opens another window, and returns this window. */
  popup(action: () => Promise<unknown>): Promise<Popup>;
  /** Opens another tab with the same cookies and storage. It ends with this one. */
  openTab(): Promise<BrowserPage>;
  /** Cuts or restores the connection, in Chromium only. */
  setOffline(isOffline: boolean): Promise<void>;
  /** Brings the tab to the front. */
  show(): Promise<void>;
  close(): Promise<void>;
}

/** A window that a page has opened. */
export interface Popup {
  click(selector: string): Promise<void>;
  isClosed(): Promise<boolean>;
}

/** A key that a test presses. */
export type Key =
  | "Tab"
  | "Shift+Tab"
  | "Enter"
  | "Space"
  | "ArrowDown"
  | "ArrowUp"
  | "Escape"
  | "/";

/** The running browsers. They stay open: Firefox takes longer to start than most tests take. */
const running = new Map<string, Promise<Browser>>();

/** Opens a page in a browser. It shares no cookies and no storage with other pages. */
export async function openBrowser(
  name: BrowserName,
  { dark = false, width = 1280, place, backForwardCache = false }: BrowserOptions = {},
): Promise<BrowserPage> {
  if (name === "webkit") return await webKitPage(dark, width);
  const browser = name === "chromium"
    ? await start(`${name} ${backForwardCache}`, () => launchChromium(backForwardCache))
    : await start(`${name}, ${dark ? "dark" : "light"}`, () => launchFirefox(dark));
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    ...(name === "chromium" ? { colorScheme: dark ? "dark" : "light", ...place } : {}),
  });
  return playwrightPage(context, await context.newPage());
}

/** Ends the browsers of {@link openBrowser}. Each test file calls this at its end. */
export async function closeBrowsers(): Promise<void> {
  const ending = [...running.values()];
  running.clear();
  await Promise.all(ending.map(async (browser) => (await browser).close()));
}

function start(name: string, launch: () => Promise<Browser>): Promise<Browser> {
  const browser = running.get(name) ?? launch();
  running.set(name, browser);
  return browser;
}

function launchChromium(backForwardCache: boolean): Promise<Browser> {
  return chromium.launch({
    ignoreDefaultArgs: backForwardCache ? ["--disable-back-forward-cache"] : [],
    executablePath: "/usr/bin/chromium",
    // No sandbox, since containers run this as root, and no requests to the browser's maker.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

function launchFirefox(dark: boolean): Promise<Browser> {
  return firefox.launch({
    // WebDriver BiDi, since only playwright's own build has its protocol.
    channel: "moz-firefox",
    executablePath: "/usr/bin/firefox-esr",
    firefoxUserPrefs: { "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1 },
  });
}

function playwrightPage(context: BrowserContext, page: Page): BrowserPage {
  return {
    goto: async (url) => void await page.goto(url),
    reload: async () => void await page.reload(),
    back: async () => void await page.goBack(),
    url: () => Promise.resolve(page.url()),
    execute: (body) => page.evaluate(`(() => {${body}\n})()`),
    click: (selector) => page.click(selector),
    type: async (selector, text) => {
      await page.focus(selector);
      await page.keyboard.insertText(text);
    },
    press: async (...pressed) => {
      for (const key of pressed) await page.keyboard.press(key);
    },
    screenshot: () => page.screenshot({ fullPage: true }),
    popup: async (action) => {
      // Not the event of the page, which does not come if a header cuts the connection to the popup.
      const opened = context.waitForEvent("page");
      await action();
      const popup = await opened;
      return {
        click: (selector) => popup.click(selector),
        isClosed: () => Promise.resolve(popup.isClosed()),
      };
    },
    openTab: async () => playwrightPage(context, await context.newPage()),
    setOffline: (isOffline) => context.setOffline(isOffline),
    show: () => page.bringToFront(),
    close: () => context.close(),
  };
}

/** Opens a page in WebKit. Its window is at least about 450 pixels wide: a narrower page is shown in a frame. */
async function webKitPage(dark: boolean, width: number): Promise<BrowserPage> {
  const isFramed = width < 460;
  const driver = await openWebKit({ dark, size: { width: isFramed ? 460 : width, height: 900 } });
  const goto = (url: string) => isFramed ? openFramed(driver, url, width) : driver.goto(url);
  return webKitTab(driver, await driver.window(), goto);
}

function webKitTab(
  driver: WebDriver,
  tab: string,
  goto: (url: string) => Promise<void>,
): BrowserPage {
  const there = async <Result>(command: () => Promise<Result>): Promise<Result> => {
    if (await driver.window() !== tab) await driver.switchTo(tab);
    return await command();
  };
  return {
    goto: (url) => there(() => goto(url)),
    reload: () => there(() => driver.reload()),
    back: () => there(() => driver.back()),
    url: () => there(() => driver.url()),
    execute: (body) => there(() => driver.execute(body)),
    click: (selector) => there(() => driver.click(selector)),
    type: (selector, text) => there(() => driver.type(selector, text)),
    press: (...pressed) => there(() => driver.keys(...pressed.map((key) => webDriverKeys[key]))),
    screenshot: () => there(() => driver.screenshot()),
    popup: (action) => there(() => webKitPopup(driver, action)),
    openTab: async () => webKitTab(driver, await driver.openWindow(), (url) => driver.goto(url)),
    setOffline: () => Promise.reject(Error("WebKit's driver can't cut the connection")),
    show: () => driver.switchTo(tab),
    close: () => driver.close(),
  };
}

async function webKitPopup(
  driver: WebDriver,
  action: () => Promise<unknown>,
): Promise<Popup> {
  const [own = ""] = await driver.windows();
  const findOther = async () => (await driver.windows()).find((name) => name !== own);
  await action();
  const name = await found("window", findOther);
  return {
    async click(selector) {
      await driver.switchTo(name);
      try {
        await found(selector, () => driver.element(selector).catch(() => undefined));
        await driver.click(selector);
      } finally {
        await driver.switchTo(own);
      }
    },
    isClosed: async () => await findOther() === undefined,
  };
}

/** Repeats a search until it finds something. */
async function found<Value>(
  what: string,
  search: () => Promise<Value | undefined>,
): Promise<Value> {
  for (let tries = 0; tries < 100; tries++) {
    const value = await search();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw Error(`There was no ${what} within ten seconds`);
}

async function openFramed(driver: WebDriver, url: string, width: number): Promise<void> {
  await driver.frame(null);
  if (url === "about:blank") return await driver.goto(url);
  // Another page of the same origin, a 404, without the policy of the tested page.
  await driver.goto(new URL("/frame", url).href);
  await driver.execute(
    `const frame = document.createElement("iframe");
    frame.style.cssText = "position: fixed; inset: 0; border: 0; height: 900px; width: ${width}px";
    frame.src = arguments[0];
    document.body.replaceChildren(frame);
    return new Promise((resolve) => frame.onload = () => resolve());`,
    url,
  );
  await driver.frame("iframe");
}

const webDriverKeys: Readonly<Record<Key, string | readonly string[]>> = {
  Tab: keys.tab,
  "Shift+Tab": [keys.shift, keys.tab],
  Enter: keys.enter,
  Space: " ",
  ArrowDown: keys.down,
  ArrowUp: keys.up,
  Escape: keys.escape,
  "/": "/",
};
