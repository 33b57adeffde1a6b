/**
 * A process of an application. Each line of its input makes that many callers ask for a token of the same person at once.
 *
 * @module
 */

import { PlatformApi, TokenSource } from "../../../../mod.ts";
import { sampleApplication } from "../../../../src/testing/mod.ts";
import { replyToLines } from "../../../support/line_process.ts";
import { openStore, type StoreAddress } from "./open_store.ts";

/** The settings of a process. */
export interface Settings {
  readonly store: StoreAddress;
  readonly platformOrigin: string;
  readonly key: string;
  /** The time limit of a request, in milliseconds. */
  readonly timeout: number;
  /** The time by which the clock of this process is ahead, in milliseconds. */
  readonly clockShift: number;
}

/** The result of one caller. */
export interface CallerResult {
  /** The status of `/users/@me`, requested with the new token at once, or the name of the error. */
  readonly result: number | string;
  /** The time that the caller waited for the token, in milliseconds. */
  readonly waited: number;
}

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main(settings: Settings): Promise<void> {
  const { now } = Date;
  Date.now = () => now() + settings.clockShift;
  const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
  const { platformOrigin, timeout } = settings;
  const platform = {
    authorizeUrl: `${platformOrigin}/oauth2/authorize`,
    apiUrl: `${platformOrigin}/api/v10`,
    cdnUrl: platformOrigin,
  };
  const api = new PlatformApi(id, secret, ["identify"], redirectUri, { platform, timeout });
  const { store } = await openStore(settings.store);
  const source = new TokenSource(api, store, settings.key);

  async function call(): Promise<CallerResult> {
    const start = performance.now();
    const token = await source.token().catch((error: Error) => error);
    const waited = performance.now() - start;
    if (token instanceof Error) return { result: token.name, waited };
    const response = await fetch(`${platform.apiUrl}/users/@me`, {
      headers: {
        authorization: `Bearer ${token.access_token}`,
        "user-agent": "DiscordBot (https://app.example, 1.0)",
      },
    });
    await response.body?.cancel();
    return { result: response.status, waited };
  }

  await replyToLines((callers: number) => Promise.all(Array.from({ length: callers }, call)));
}
