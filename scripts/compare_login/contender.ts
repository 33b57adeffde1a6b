/**
 * What the comparison needs to know of an application that logs people in.
 *
 * @module
 */

import type { Browser, Handler } from "./browser.ts";

/** An application that logs people in with a library. */
export interface Contender {
  /** The path of its callback. */
  readonly callback: string;
  /** The application, as the library's own documentation has it. Its lines are counted. */
  createApp(): Handler | Promise<Handler>;
  /** Begins a login, and gives the link to the consent page; `null` when the application refuses to. */
  begin(browser: Browser, returnTo?: string): Promise<string | null>;
  /** The name of whoever the application believes this to be. */
  whoAmI(browser: Browser): Promise<string | null>;
  /** Whether a login takes the page to go to afterwards. */
  readonly takesReturnTo: boolean;
}

/** The link that a page of the application redirects to. */
export async function beginAt(browser: Browser, path: string): Promise<string | null> {
  return (await browser.open(path)).headers.get("location");
}

/** What `/me` says. */
export async function askMe(browser: Browser): Promise<string | null> {
  const answer = await browser.open("/me");
  return answer.status === 200 ? (await answer.json()).username : null;
}
