/**
 * The script in the page: it reads the session from the API, at another origin, and sends it with each request.
 *
 * @module
 */

import { SessionClient } from "../../src/browser/mod.ts";

const login = find("login", HTMLAnchorElement);
const form = find("form", HTMLFormElement);
const field = find("color", HTMLInputElement);
const session = new SessionClient({ url: `${login.origin}/session` });

login.search = new URLSearchParams({ returnTo: location.href }).toString();
find("origin", HTMLElement).textContent = location.origin;
find("retry", HTMLElement).addEventListener("click", session.refresh);
find("logout", HTMLElement).addEventListener("click", () => {
  session.logOut().then(
    () => showStatus("You are logged out"),
    () => showStatus("You are still logged in: try again"),
  );
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await ask("/color", { method: "PUT", body: field.value });
  if (!response) return showStatus("Not saved: the API does not respond");
  showStatus(response.ok ? "Saved" : "Not saved: log in again");
});
session.subscribe(({ status, user }) => {
  find("guest", HTMLElement).hidden = status !== "logged_out";
  find("member", HTMLElement).hidden = !user;
  find("failure", HTMLElement).hidden = status !== "unreachable";
  form.hidden = !user || location.pathname !== "/color";
  if (user) showPerson(user.username);
  if (status === "logged_in") showColor();
});

function showPerson(name: string): void {
  const member = find("member", HTMLElement);
  const visibleCharacter = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;
  const visible = [...name].filter((character) => visibleCharacter.test(character));
  member.querySelector("h1 bdi")?.replaceChildren(visible.length > 0 ? name : "(no name)");
  member.querySelector(".picture")?.replaceChildren(visible[0] ?? "");
}

async function showColor(): Promise<void> {
  const response = await ask("/color");
  if (response?.ok) field.value = await response.text();
}

/** Asks the API. Returns `null` if it can't be reached, or fails. */
async function ask(path: string, init?: RequestInit): Promise<Response | null> {
  const response = await session.fetch(path, init).catch(() => null);
  return response && response.status < 500 ? response : null;
}

function showStatus(text: string): void {
  find("status", HTMLElement).textContent = text;
}

function find<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw TypeError(`The page has no ${type.name} "${id}"`);
  return element;
}
