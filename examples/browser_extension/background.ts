/// <reference path="./chrome.d.ts" />
/**
 * The background script. It logs in, because the popup closes while the consent page is open.
 *
 * @module
 */

import { session } from "./session.ts";

chrome.runtime.onMessage.addListener((_message, _sender, respond) => {
  logIn().then(() => respond(true), (error) => {
    console.error(error);
    respond(false);
  });
  return true; // the response comes later
});

async function logIn(): Promise<void> {
  const target = chrome.identity.getRedirectURL();
  await session.enter(async ({ url }) => {
    const callback = await chrome.identity.launchWebAuthFlow({ url, interactive: true });
    const { searchParams } = new URL(callback ?? "");
    const code = searchParams.get("code");
    if (!code) throw new Error("The login was canceled");
    return { code, state: searchParams.get("state") ?? "" };
  }, { target });
}
