/**
 * Visits the running demo like a user with a browser, but only with `fetch`.
 *
 * @module
 */

import { CookieJar } from "../../src/testing/mod.ts";

/** The texts of the visited pages. */
export interface DemoVisit {
  readonly start: string;
  /** The page of the fake platform. */
  readonly consent: string;
  /** The page after the login: the user and their guilds. */
  readonly guilds: string;
  /** The page of the invite builder, and its script. */
  readonly invite: string;
  readonly inviteScript: string;
  /** The script of the page with the guilds. */
  readonly filterScript: string;
}

/** Opens the demo, logs Ada in, and opens the invite builder. */
export async function visitDemo(origin: string): Promise<DemoVisit> {
  const jar = new CookieJar();
  const open = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(path, origin);
    const response = await fetch(jar.request(url, { redirect: "manual", ...init }));
    jar.store(response, url);
    return response;
  };
  const read = async (path: string): Promise<string> => {
    const response = await open(path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
  /** Returns the target of a redirect. */
  const targetOf = async (path: string, init?: RequestInit): Promise<string> => {
    const response = await open(path, init);
    await response.body?.cancel();
    return response.headers.get("location") ?? "";
  };
  const scriptOf = (page: string): Promise<string> =>
    read(/<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? "/no-script");

  const start = await read("/");
  const consentAddress = await targetOf("/login");
  const consent = await read(consentAddress);
  const body = new URLSearchParams({ action: "authorize", user: "1000000000000000001" });
  const callback = await targetOf(consentAddress, { method: "POST", body, headers: { origin } });
  const guilds = await read(await targetOf(callback));
  const invite = await read("/invite");
  return {
    start,
    consent,
    guilds,
    invite,
    inviteScript: await scriptOf(invite),
    filterScript: await scriptOf(guilds),
  };
}
