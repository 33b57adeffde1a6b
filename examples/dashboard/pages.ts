/** The pages of the dashboard. @module */

import { type Html, html } from "../shared/html.ts";
import { messagePage, nameHtml, ownersTicket, page, picture, visibleName } from "../shared/page.ts";
import type { ListedGuild } from "./guilds.ts";
import type { Visitor } from "./login.ts";

/** The parts of all pages that are about a person. The images are of Discord, or of this origin for the fake platform. */
export const common = {
  example: "dashboard",
  images: "'self' https://cdn.discordapp.com",
  script: "/client.ts",
  connect: "'self'",
};

/** Renders the public page. It begins no login by itself, so a logout may lead here. */
export function startPage(): Response {
  const text = "Log in, invite the bot to your guild, and write what it says to new members.";
  const actions = html`<a class="button" href="/login">Log in with Discord</a>`;
  return messagePage({ ...common, title: "Greet new members", text, actions });
}

/** Renders the guilds of a person. An old list has its age in milliseconds. */
export function guildsPage(
  visitor: Visitor,
  guilds: readonly ListedGuild[],
  age: number | null = null,
): Response {
  const { name, avatarUrl, onlyManaged } = visitor;
  const shown = guilds.filter(({ isManaged }) => isManaged || !onlyManaged);
  const devices = html`<a class="button quiet small" href="/devices">Your devices</a>`;
  const everywhere = post("/logout/all", "Log out everywhere");
  const actions = html`${post("/logout", "Log out")} ${everywhere} ${devices}`;
  const content = html`
    ${ownersTicket({
      label: "You",
      picture: picture(avatarUrl, name, "large round"),
      name,
      text: "You are logged in",
      actions,
    })}
    ${age === null ? "" : html`<p class="alert" role="status">${ageNotice(age)}</p>`}
    <div class="heading">
      <h2>Your guilds <span class="count">${shown.length}</span></h2>
      <div class="actions">
        ${post("/view", onlyManaged ? "Show all" : "Show those that I manage")}
        <a class="button quiet small" href="/linked-roles">Link roles</a>
      </div>
    </div>
    ${shown.length > 0
      ? html`<ul class="entries">${shown.map(guildCard)}</ul>`
      : html`<p class="card">Create a guild in Discord, or become a manager of one.</p>`}
  `;
  return page({ ...common, title: "Your guilds", content });
}

function ageNotice(age: number): string {
  const minutes = Math.round(age / 60_000);
  const words = new Intl.RelativeTimeFormat("en").format(-minutes, "minute");
  return `Discord does not respond. This list is from ${minutes > 0 ? words : "a moment ago"}.`;
}

function guildCard({ id, name, icon_url, isManaged, hasBot }: ListedGuild): Html {
  const [text, path] = hasBot ? ["Manage", ""] : ["Invite", "/invite"];
  // For screen readers, which list the links of a page without the text around them.
  const target = html`<span class="visually-hidden"> ${nameHtml(name)}</span>`;
  const link = html`<a class="button quiet small" href="/guilds/${id}${path}">${text}${target}</a>`;
  return html`
    <li class="card stack">
      <div class="entry">${picture(icon_url, name)} <strong>${nameHtml(name)}</strong></div>
      <p class="actions">${isManaged ? link : html`<span class="muted">Others manage it</span>`}</p>
    </li>
  `;
}

/** Renders one guild: an invitation, or the settings if the bot is there. */
export function guildPage(guild: ListedGuild, greeting: string, isSaved = false): Response {
  const { id, name, icon_url, hasBot } = guild;
  const invitation = html`<a class="button" href="/guilds/${id}/invite">Invite the bot</a>`;
  const content = html`
    ${ownersTicket({
      label: "Guild",
      picture: picture(icon_url, name, "large"),
      name,
      text: hasBot ? "The bot is here" : "The bot is not here",
      actions: html`${hasBot ? "" : invitation} <a class="button quiet" href="/">Back</a>`,
    })}
    ${isSaved ? html`<p class="note" role="status">Saved</p>` : ""}
    <form class="card search" method="post" action="/guilds/${id}" ${hasBot ? "" : "hidden"}>
      <label for="greeting">Greeting</label>
      <input id="greeting" name="greeting" maxlength="200" dir="auto" value="${greeting}">
      <button class="button">Save</button>
    </form>
  `;
  // Screen readers begin with the title.
  const title = `${isSaved ? "Saved · " : ""}${visibleName(name)}`;
  return page({ ...common, title, content });
}

/** Renders a message. */
export function notice(status: number, title: string, text: string): Response {
  const actions = html`<a class="button" href="/">Go to the home page</a>`;
  return messagePage({ example: common.example, title, text, status, actions });
}

/** Renders a button that sends a form, because no link may change anything. */
function post(action: string, text: string): Html {
  const button = html`<button class="button quiet small">${text}</button>`;
  return html`<form method="post" action="${action}">${button}</form>`;
}
