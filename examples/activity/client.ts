/**
 * The script of the Activity. It logs in at each start, and keeps the session for the next one.
 *
 * @module
 */

import { SessionClient } from "../../src/browser/mod.ts";
import { DiscordSDK } from "./discord_sdk.ts"; // instead of "@discord/embedded-app-sdk"

/** The storage for the token, or `null` if the browser refuses it to a frame of another site. Then the session ends with the page. */
const storage = openStorage();
let token = storage?.getItem("token") ?? null;

const sdk = new DiscordSDK("1100000000000000001");
const session = new SessionClient({
  url: "/session",
  appPath: "/app",
  apiPaths: ["/api"],
  store: {
    get: () => token,
    set(value) {
      token = value;
      if (value === null) storage?.removeItem("token");
      else storage?.setItem("token", value);
    },
  },
});

find("login", HTMLElement).addEventListener("click", start);
find("logout", HTMLElement).addEventListener("click", () => {
  session.logOut().catch(() => showStatus("You are still logged in: try again"));
});
session.subscribe(({ status, user }) => {
  find("guest", HTMLElement).hidden = status !== "logged_out";
  find("member", HTMLElement).hidden = !user;
  if (user) find("member", HTMLElement).querySelector("bdi")?.replaceChildren(user.username);
});
// The next start could not use the session.
if (!storage) addEventListener("pagehide", session.logOut);
start();

async function start(): Promise<void> {
  try {
    await sdk.ready();
    await logIn();
    const response = await session.fetch("/api/sessions");
    find("sessions", HTMLElement).textContent = (await response.json()).length;
    showStatus("");
  } catch (error) {
    showStatus(`That did not work: ${Object(error).message}`);
  }
}

async function logIn(): Promise<void> {
  const enter = () =>
    session.enter(({ authorize }) => sdk.commands.authorize({ ...authorize, prompt: "none" }));
  const { accessToken } = await enter().catch(async (error) => {
    if (error.code !== "other_person") throw error;
    // The kept session is that of another person, who was here before.
    await session.logOut();
    return await enter();
  });
  await sdk.commands.authenticate({ access_token: accessToken });
}

function openStorage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

function showStatus(text: string): void {
  find("status", HTMLElement).textContent = text;
}

function find<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw TypeError(`The page has no ${type.name} "${id}"`);
  return element;
}
