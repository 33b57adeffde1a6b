/**
 * The script of the page that plays Discord: it runs the commands of the Activity in its frame.
 *
 * @module
 */

import type { AuthorizeRequest, Command } from "./discord_sdk.ts";

const frame = find("activity", HTMLIFrameElement);
const person = find("person", HTMLSelectElement);
const consent = find("consent", HTMLDialogElement);
const activity = frame.src;

/** The consents that were given, each with a person and scopes. */
const given = new Set<string>();

addEventListener("message", async ({ data, source, ports: [port] }) => {
  if (source !== frame.contentWindow) return;
  try {
    port?.postMessage({ result: await run(data) });
  } catch (error) {
    port?.postMessage({ error: Object(error).message });
  }
});
person.addEventListener("change", reopen);
find("reopen", HTMLElement).addEventListener("click", reopen);

function reopen(): void {
  frame.src = activity;
}

async function run({ name, args }: Command): Promise<unknown> {
  if (name === "authenticate") {
    const headers = { authorization: `Bearer ${args.access_token}` };
    return await responseOf(fetch("/api/v10/users/@me", { headers }));
  }
  const as = person.value;
  if (!await consents(as, args)) throw new Error("You have refused");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ args, as });
  return await responseOf(fetch("/authorize", { method: "POST", headers, body }));
}

/** Asks the person. With `prompt: "none"`, asks once for the same scopes. */
async function consents(as: string, { scope, prompt }: AuthorizeRequest): Promise<boolean> {
  const asked = `${as} ${scope}`;
  if (prompt === "none" && given.has(asked)) return true;
  find("scopes", HTMLElement).textContent = scope.join(", ");
  consent.returnValue = "";
  consent.showModal();
  await new Promise((resolve) => consent.addEventListener("close", resolve, { once: true }));
  if (consent.returnValue === "authorize") given.add(asked);
  return consent.returnValue === "authorize";
}

async function responseOf(request: Promise<Response>): Promise<unknown> {
  const response = await request;
  const json = await response.json();
  if (!response.ok) throw new Error(json.error ?? json.message);
  return json;
}

function find<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw TypeError(`The page has no ${type.name} "${id}"`);
  return element;
}
