/**
 * The interface between the comparison and an application that logs people in.
 *
 * @module
 */

import type { Browser, Handler } from "./browser.ts";

/** The databases that the processes of an application share. */
export interface Shared {
  readonly redisUrl: string;
  /** The path of a database file. */
  readonly file: string;
}

/** An application that logs people in with a library. */
export interface Contender {
  /** The path of its callback. */
  readonly callback: string;
  /** Creates the application as the library's own documentation shows it. */
  createApp(): Handler | Promise<Handler>;
  /** Creates the application as one of several processes. Missing if the application keeps everything in cookies. */
  createSharedApp?(shared: Shared): Handler | Promise<Handler>;
  /** True if the column shows the application with the databases in all rows. */
  readonly isAlwaysShared?: true;
  /** The request that begins a login, as a page on another site could send it. */
  readonly login: LoginRequest;
  /** Begins a login and returns the link to the consent page, or `null` if the application refuses. */
  begin(browser: Browser, returnTo?: string): Promise<string | null>;
  /** Returns the name of the person whom the application takes the browser for. */
  whoAmI(browser: Browser): Promise<string | null>;
  /** The logout. Missing if the library has none. */
  readonly logout?: Logout;
  /** True if a login accepts the page to return to. */
  readonly takesReturnTo: boolean;
}

/** The request that begins a login. */
export interface LoginRequest {
  readonly path: string;
  /** The fields that it needs in its body, as far as another site can know them. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The logout of an application. */
export interface Logout {
  readonly path: string;
  /** Logs out as a page of the application does. */
  send(browser: Browser): Promise<unknown>;
}

/** Opens a page of the application and returns the address that it redirects to. */
export async function redirectTargetOf(browser: Browser, path: string): Promise<string | null> {
  return (await browser.open(path)).headers.get("location");
}

/** Returns the username in the response of `/me`. */
export async function usernameAtMe(browser: Browser): Promise<string | null> {
  const response = await browser.open("/me");
  return response.status === 200 ? (await response.json()).username : null;
}
