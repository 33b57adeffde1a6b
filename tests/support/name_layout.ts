/**
 * Checks the layout of the names on a page.
 *
 * @module
 */

import { expect } from "vitest";
import type { BrowserPage } from "./browsers.ts";

/**
 * Expects a layout without faults: each name is isolated from the text around it and stays within its box, the page's own words are
 * in order, and no name squeezes a picture or makes the page wider than the window.
 *
 * @param names The names on the page, to find names without isolation.
 */
export async function expectNames(
  page: BrowserPage,
  name: string,
  names: readonly string[],
): Promise<void> {
  await expect.soft(findLayoutFaults(page, names), name).resolves.toEqual([]);
}

/** Returns a list of faults. */
export async function findLayoutFaults(
  page: BrowserPage,
  names: readonly string[],
): Promise<unknown> {
  return await page.execute(`const names = ${JSON.stringify(names)};${script}`);
}

const script = `
  const faults = [];
  const isShown = (element) => element.checkVisibility() && !element.closest(".visually-hidden");
  const isBetween = (low, value, high) => low - 1 <= value && value <= high + 1;
  const rectsOf = (node, start, end) => {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  // With tall fonts, the letters of two lines overlap a little.
  const isSameLine = (one, other) => {
    const middle = (one.top + one.bottom) / 2;
    return other.top < middle && middle < other.bottom;
  };
  const isolated = "bdi, option, [dir=auto], .picture, .tile, script, style";

  // Our own words.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data;
    if (node.parentElement.closest(isolated) || !isShown(node.parentElement)) continue;
    for (const name of names) {
      if (name && text.includes(name)) faults.push("not isolated: " + text.trim());
    }
    let before;
    for (let at = 0; at < text.length; at++) {
      const [rect] = text[at].trim() ? rectsOf(node, at, at + 1) : [];
      if (!rect) continue;
      if (before && isSameLine(before, rect) && rect.left < before.left) {
        faults.push("reordered: " + text.trim());
        break;
      }
      before = rect;
    }
    const next = node.nextSibling;
    const [first] = next?.nodeName === "BDI" ? next.getClientRects() : [];
    if (before && first && isSameLine(before, first) && first.left < before.right - 1) {
      faults.push("after its name: " + text.trim());
    }
  }

  // The names.
  for (const name of document.querySelectorAll("bdi, [dir=auto]")) {
    if (!isShown(name)) continue;
    let box = name.parentElement;
    while (getComputedStyle(box).display === "inline") box = box.parentElement;
    const { left, right } = box.getBoundingClientRect();
    for (const rect of name.getClientRects()) {
      if (!isBetween(left, rect.left, right) || !isBetween(left, rect.right, right)) {
        faults.push("out of its box: " + name.textContent);
      }
    }
    if (name.localName === "bdi" && !/[\\p{L}\\p{N}\\p{P}\\p{S}]/u.test(name.textContent)) faults.push("without a visible character");
  }
  for (const element of document.querySelectorAll("main *")) {
    if (isShown(element) && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 &&
      getComputedStyle(element).overflowX === "visible") {
      faults.push("wider than its box: " + element.outerHTML.slice(0, 200));
    }
  }
  for (const picture of document.querySelectorAll(".picture, .tile")) {
    const { width, height } = picture.getBoundingClientRect();
    if (isShown(picture) && Math.abs(width - height) > 1) faults.push("squeezed: " + picture.outerHTML);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
  return faults;`;
