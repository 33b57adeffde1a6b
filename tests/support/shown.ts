/**
 * Checks the appearance of a page in several browsers, widths and color schemes.
 *
 * @module
 */

import { mkdir, writeFile } from "node:fs/promises";
import process from "node:process";
import { expect } from "vitest";
import { violations } from "./axe.ts";
import type { BrowserName, BrowserPage } from "./browsers.ts";

/** The folder for pictures of all pages. None are taken in WebKit. */
const pictures = process.env.PICTURES;

/** A browser with a width and a color scheme. */
export interface View {
  readonly browser: BrowserName;
  readonly dark: boolean;
  readonly width: number;
}

/**
 * The views, each with a name. The colors and the width of a page are independent: a style sheet changes colors by variables, and
 * never hides a part of the page in a narrow window.
 */
export const views: readonly (readonly [name: string, view: View])[] = [
  view("chromium", "light", 360),
  view("chromium", "dark"),
  // Other browsers have other fonts and buttons. A narrow window has the least room for them.
  view("firefox", "light", 360),
  // Not narrow: a window of WebKit is wider than a phone, and the pages forbid a frame in it.
  view("webkit", "dark"),
];

function view(
  browser: BrowserName,
  colors: "light" | "dark",
  width = 1280,
): readonly [name: string, view: View] {
  return [`${browser}, in ${colors}, ${width} pixels wide`, {
    browser,
    width,
    dark: colors === "dark",
  }];
}

/**
 * Expects that the page is accessible and fits into the window, and that no buttons touch. axe-core runs in one browser: it reads
 * the elements and the style sheet, and all browsers have the same.
 */
export async function expectWellShown(page: BrowserPage, name: string, view: View): Promise<void> {
  if (view.browser === "chromium") await expect(violations(page), name).resolves.toEqual([]);
  await expect(page.execute("return document.documentElement.scrollWidth"), name).resolves
    .toBeLessThanOrEqual(view.width);
  await expect(touchingButtons(page), name).resolves.toEqual([]);
  // On a virtual screen, WebKit's driver never responds to the request for a picture.
  if (pictures && view.browser !== "webkit") await savePicture(page, pictures, name, view);
}

/** Saves a picture of the page in a folder. */
export async function savePicture(
  page: BrowserPage,
  folder: string,
  name: string,
  { browser, dark, width }: View,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = `${name}.${dark ? "dark" : "light"}.${width}.${browser}.png`;
  await writeFile(`${folder}/${file}`, await page.screenshot());
}

/** Waits until the page shows a text. */
export async function expectText(page: BrowserPage, text: string): Promise<void> {
  const shown = () => page.execute("return document.body?.textContent ?? ''");
  await expect.poll(shown).toContain(text);
}

/** Lists the labels of buttons less than 4 pixels away from another. */
async function touchingButtons(page: BrowserPage): Promise<unknown> {
  return await page.execute(`
    const buttons = [...document.querySelectorAll("button, a.button")]
      .filter((button) => button.checkVisibility());
    const gap = (one, other) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      return Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
    };
    return buttons
      .filter((one) => buttons.some((other) => other !== one && gap(one, other) < 4))
      .map((button) => button.textContent);`);
}
