/** The devices of a person: a label for each login, and the page that ends sessions. @module */

import type { ListedSession } from "@guildpass/sdk/login";
import { type Html, html } from "../shared/html.ts";
import { page } from "../shared/page.ts";
import { timeHtml } from "../shared/time.ts";
import { common } from "./pages.ts";

/** Returns a text such as "Firefox on Linux". It has no words of the visitor. */
export function browserOf({ headers }: Request): string {
  const agent = headers.get("user-agent") ?? "";
  const find = (...names: string[]) => names.find((name) => agent.includes(name));
  const browser = find("Edg", "Firefox", "Chrome", "Safari")?.replace("Edg", "Edge") ?? "Browser";
  const system = find("Android", "iPhone", "iPad", "Windows", "Mac", "Linux") ?? "another system";
  return `${browser} on ${system}`;
}

/** Renders the sessions of a person, with a button for each. */
export function devicesPage(sessions: readonly ListedSession[]): Response {
  const content = html`
    <div class="heading">
      <h1>Your devices <span class="count">${sessions.length}</span></h1>
      <a class="button quiet small" href="/">Back</a>
    </div>
    <ul class="entries">${sessions.map(deviceCard)}</ul>
  `;
  return page({ ...common, title: "Your devices", content });
}

function deviceCard({ id, startedAt, label, isCurrent }: ListedSession): Html {
  const name = label ?? "Browser";
  const time = timeHtml(startedAt);
  // For screen readers, which list the buttons of a page without the text around them.
  const target = html`<span class="visually-hidden"> ${name} since ${time}</span>`;
  return html`
    <li class="card stack">
      <div>
        <strong>${name}</strong>
        <p class="muted">${isCurrent ? "This device, since" : "Since"} ${time}</p>
      </div>
      <form method="post" action="${isCurrent ? "/logout" : "/devices"}">
        <button class="button quiet small" name="session"
          value="${id}">Log out${target}</button>
      </form>
    </li>
  `;
}
