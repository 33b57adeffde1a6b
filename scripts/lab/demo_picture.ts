/**
 * Records docs/demo.gif: a login in the demo, a list of guilds, and an invite link. It needs Debian's Chromium.
 *
 * @module
 */

import gifenc from "gifenc";
import type { Page } from "playwright";
import { withDemo } from "./demo_server.ts";

const size = { width: 900, height: 630 };
const { GIFEncoder, applyPalette, quantize } = gifenc;

/** A picture and the milliseconds for which it is shown. */
interface Frame {
  readonly pixels: Uint8Array;
  readonly delay: number;
}

const frames: Frame[] = [];
await withDemo(async (browser, origin) => {
  const page = await browser.newPage({ viewport: size, colorScheme: "light" });
  await page.goto(origin);
  await clickOnFilm(page, "a[href^='/login']");
  await clickOnFilm(page, "button[value=authorize]");
  await clickOnFilm(page, "a[href^='/invite']");
  await page.click("label[for=permission-view_channel]");
  await page.click("label[for=permission-send_messages]");
  await page.mouse.move(0, 0);
  frames.push(await film(page, 2600));
});
await Deno.writeFile(new URL("../../docs/demo.gif", import.meta.url), encode(frames));

/** Films a page, a pointer on an element, and clicks the element. */
async function clickOnFilm(page: Page, selector: string): Promise<void> {
  frames.push(await film(page, 1600));
  const element = page.locator(selector).first();
  await element.hover();
  await element.evaluate((target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const svg = "http://www.w3.org/2000/svg";
    const pointer = document.createElementNS(svg, "svg");
    const arrow = document.createElementNS(svg, "path");
    pointer.setAttribute("viewBox", "0 0 24 24");
    arrow.setAttribute("d", "M5 2l15 12h-8l4 8-4 1-3-8-5 5z");
    arrow.setAttribute("fill", "#fff");
    arrow.setAttribute("stroke", "#111");
    pointer.append(arrow);
    Object.assign(pointer.style, {
      position: "fixed",
      zIndex: "9",
      width: "36px",
      left: `${left + width * 0.6}px`,
      top: `${top + height * 0.6}px`,
    });
    document.body.append(pointer);
  });
  frames.push(await film(page, 800));
  await Promise.all([page.waitForLoadState("load"), element.click()]);
  await page.waitForTimeout(300);
}

/** Takes a picture of a page. The browser itself decodes it. */
async function film(page: Page, delay: number): Promise<Frame> {
  const image = `data:image/png;base64,${(await page.screenshot()).toBase64()}`;
  const decoder = await page.context().browser()?.newPage();
  if (!decoder) throw Error("The browser has ended");
  const pixels = await decoder.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, width, height).data ?? [];
    return new Uint8Array(pixels).toBase64();
  }, image);
  await decoder.close();
  return { pixels: Uint8Array.fromBase64(pixels), delay };
}

/** Encodes frames with one palette. */
function encode(frames: readonly Frame[]): Uint8Array<ArrayBuffer> {
  // The pages have few colors, so each fifth pixel is enough.
  const sample = frames.flatMap(({ pixels }) => [...new Uint32Array(pixels.buffer)])
    .filter((_, index) => index % 5 === 0);
  const palette = quantize(new Uint8Array(Uint32Array.from(sample).buffer), 128);
  const gif = GIFEncoder();
  for (const { pixels, delay } of frames) {
    gif.writeFrame(applyPalette(pixels, palette), size.width, size.height, { palette, delay });
  }
  gif.finish();
  return new Uint8Array(gif.bytes());
}
