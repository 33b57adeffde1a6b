/**
 * Shows times in pages.
 *
 * @module
 */

import { type Html, html } from "./html.ts";

const utc = new Intl.DateTimeFormat("en", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/**
 * Renders a time in UTC. The script `local_times.ts` shows it in the person's zone and language, which only the browser knows.
 *
 * @param time The milliseconds since the epoch.
 */
export function timeHtml(time: number): Html {
  return html`<time datetime="${new Date(time).toISOString()}">${utc.format(time)} UTC</time>`;
}
