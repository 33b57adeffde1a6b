/**
 * What the comparison needs to know of an application that logs people in.
 *
 * @module
 */

import type { Browser, Handler } from "./browser.ts";

/** What the processes of an application share. */
export interface Shared {
  readonly redisUrl: string;
  /** The file of a database. */
  readonly file: string;
}

/** An application that logs people in with a library. */
export interface Contender {
  /** The path of its callback. */
  readonly callback: string;
  /** The application, as the library's own documentation has it. Its lines are counted, unless it has `sources`. */
  createApp(): Handler | Promise<Handler>;
  /** The same, as one of several processes. Missing where all that it remembers is in cookies. */
  createSharedApp?(shared: Shared): Handler | Promise<Handler>;
  /** The files of an application that is built, whose lines are counted. */
  readonly sources?: readonly URL[];
  /** Begins a login, and gives the link to the consent page; `null` when the application refuses to. */
  begin(browser: Browser, returnTo?: string): Promise<string | null>;
  /** The name of whoever the application believes this to be. */
  whoAmI(browser: Browser): Promise<string | null>;
  /** How to log out; missing where the library has nothing for it. */
  readonly logout?: Logout;
  /** Whether a login takes the page to go to afterwards. */
  readonly takesReturnTo: boolean;
}

/** How to log out. */
export interface Logout {
  readonly path: string;
  /** Does it as a page of the application does. */
  send(browser: Browser): Promise<unknown>;
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
