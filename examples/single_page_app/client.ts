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
  const response = await ask("/logout", { method: "POST" });
  if (!response?.ok) return showStatus("You are still logged in: try again");
  await showPerson();
  showStatus("You are logged out");
});
find("retry", HTMLElement).addEventListener("click", showPerson);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await ask("/color", { method: "PUT", body: field.value });
  if (!response) return showStatus("Not saved: the API does not respond");
  showStatus(response.ok ? "Saved" : "Not saved: log in again");
});
await showPerson();

async function showPerson(): Promise<void> {
  const response = await ask("/me");
  const member = find("member", HTMLElement);
  member.hidden = !response?.ok;
  form.hidden = !response?.ok || location.pathname !== "/color";
  find("guest", HTMLElement).hidden = !response || response.ok;
  find("failure", HTMLElement).hidden = response !== null;
  if (!response?.ok) return;
  const { name, color }: { name: string; color: string } = await response.json();
  const visibleCharacter = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;
  const visible = [...name].filter((character) => visibleCharacter.test(character));
  for (const heading of member.querySelectorAll("h1 bdi")) {
    heading.textContent = visible.length > 0 ? name : "(no name)";
  }
  for (const picture of member.querySelectorAll(".picture")) {
    picture.textContent = visible[0] ?? "";
  }
  field.value = color;
}

/** Asks the API. Returns `null` if it can't be reached, or fails. */
async function ask(path: string, init: RequestInit = {}): Promise<Response | null> {
  const response = await fetch(api + path, { ...init, credentials: "include" }).catch(() => null);
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
