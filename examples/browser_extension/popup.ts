/// <reference path="./chrome.d.ts" />
/**
 * The popup: a button to log in, or the name of the person.
 *
 * @module
 */

import type { Outcome } from "./background.ts";

const status = element("#status");
const logIn = element("#log-in");
const logOut = element("#log-out");

logIn.addEventListener("click", () => act("log in"));
logOut.addEventListener("click", () => act("log out"));
act("read");

/** Sends a message to the background script, and shows the result. */
async function act(action: string): Promise<void> {
  const { person, hasFailed } = await chrome.runtime.sendMessage(action) as Outcome;
  const text = person ? `Hello, ${person.username}` : "You are logged out";
  status.textContent = hasFailed ? "That did not work. Please try again" : text;
  logIn.hidden = person !== null;
  logOut.hidden = person === null;
}

function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`The popup has no ${selector}`);
  return found;
}
