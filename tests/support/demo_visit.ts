/**
 * Goes through the running demo as a person with a browser does, but with `fetch` alone.
 *
 * @module
 */

import { CookieJar } from "../../src/testing/mod.ts";

/** The pages of a visit, with the texts that they answered. */
export interface DemoVisit {
  readonly start: string;
  /** The page of the fake platform. */
  readonly consent: string;
  /** The page after the login: the person and their guilds. */
  readonly guilds: string;
  /** The page of the invite builder, and the script that it names. */
  readonly invite: string;
  readonly inviteScript: string;
  /** The script that the page of the guilds names. */
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
  /** Follows a redirect by hand: returns the address that it leads to. */
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
