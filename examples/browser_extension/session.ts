/// <reference path="./chrome.d.ts" />
/**
 * The session of the person, for the background script and the popup. A logout or login in one of them changes the state in both.
 *
 * @module
 */

import { SessionClient } from "@guildpass/sdk/browser";

/** The origin of your server. */
const server = "http://localhost:8787";

export const session: SessionClient = new SessionClient({
  url: `${server}/session`,
  appPath: "/app",
  store: {
    get: async () => (await chrome.storage.session.get("token")).token,
    set: (token) => chrome.storage.session.set({ token }),
  },
});
