/**
 * Takes the light and the dark picture of the documentation site's first page: the demo after a login. They are as wide as the page
 * shows them, with two pixels for each of its own.
 *
 * @module
 */

import { withDemo } from "./demo_server.ts";

const folder = new URL("../docs_site/public/", import.meta.url);

await withDemo(async (browser, origin) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({
      viewport: { width: 440, height: 590 },
      deviceScaleFactor: 2,
      colorScheme,
    });
    await page.goto(origin);
    await page.click("a[href^='/login']");
    await page.click("button[value=authorize]");
    await page.waitForURL(`${origin}/`);
    await page.mouse.move(0, 0);
    const picture = new Uint8Array(await page.screenshot());
    await Deno.writeFile(new URL(`demo_${colorScheme}.png`, folder), picture);
    await page.close();
  }
});
