/// <reference path="./chrome.d.ts" />
/**
 * The popup: a button to log in, or the name of the person.
 *
 * @module
 */

import { session } from "./session.ts";

const text = element("#status");
const logIn = element("#log-in");
const logOut = element("#log-out");

/** The texts without a person, by status. */
const texts = {
  unknown: "",
  logged_in: "",
  logged_out: "You are logged out",
  unreachable: "The server does not respond",
};

session.subscribe(({ status, user }) => {
  text.textContent = user ? `Hello, ${user.username}` : texts[status];
  logIn.hidden = status !== "logged_out";
  logOut.hidden = !user;
});
logIn.addEventListener("click", async () => {
  if (!await chrome.runtime.sendMessage("log in")) showFailure();
});
logOut.addEventListener("click", () => session.logOut().catch(showFailure));

function showFailure(): void {
  text.textContent = "That did not work. Please try again";
}

function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`The popup has no ${selector}`);
  return found;
}
