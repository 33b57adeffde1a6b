import axe from "axe-core";
import type { BrowserPage } from "./browsers.ts";

/** Lists the accessibility problems that axe-core finds in a page, each with its elements. */
export async function violations(page: BrowserPage): Promise<unknown> {
  await page.execute(`if (!globalThis.axe) { ${axe.source} }`);
  return await page.execute(`
    return axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]));`);
}
