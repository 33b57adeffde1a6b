/**
 * The script in the page: it asks the API, at another origin, and sends the session with each request.
 *
 * @module
 */

const login = find("login", HTMLAnchorElement);
const form = find("form", HTMLFormElement);
const field = find("color", HTMLInputElement);
const api = login.origin;

login.search = new URLSearchParams({ returnTo: location.href }).toString();
find("origin", HTMLElement).textContent = location.origin;
find("logout", HTMLElement).addEventListener("click", async () => {
  await ask("/logout", { method: "POST" });
  await showPerson();
  showStatus("You are logged out");
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { ok } = await ask("/color", { method: "PUT", body: field.value });
  showStatus(ok ? "Saved" : "Not saved: log in again");
});
await showPerson();

async function showPerson(): Promise<void> {
  const response = await ask("/me");
  const member = find("member", HTMLElement);
  member.hidden = !response.ok;
  form.hidden = !response.ok || location.pathname !== "/color";
  find("guest", HTMLElement).hidden = response.ok;
  if (!response.ok) return;
  const { name, color }: { name: string; color: string } = await response.json();
  for (const heading of member.querySelectorAll("h1")) heading.textContent = name;
  for (const picture of member.querySelectorAll(".picture")) picture.textContent = name.slice(0, 1);
  field.value = color;
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(api + path, { ...init, credentials: "include" });
}

function showStatus(text: string): void {
  find("status", HTMLElement).textContent = text;
}

function find<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw TypeError(`The page has no ${type.name} "${id}"`);
  return element;
}
