/** The pages of the dashboard. @module */

import { type Html, html } from "../shared/html.ts";
import { messagePage, ownersTicket, page, picture } from "../shared/page.ts";
import type { ListedGuild } from "./guilds.ts";
import type { Visitor } from "./login.ts";

const example = "dashboard";
/** The origins of images: this one, for the fake platform, and that of Discord. */
const images = "'self' https://cdn.discordapp.com";

/** Renders the public page. It begins no login by itself, so a logout may lead here. */
export function startPage(): Response {
  const text = "Log in, invite the bot to your guild, and write what it says to new members.";
  const actions = html`<a class="button" href="/login">Log in with Discord</a>`;
  return messagePage({ example, title: "Greet new members", text, actions });
}

/** Renders the guilds of a person. */
export function guildsPage(visitor: Visitor, guilds: readonly ListedGuild[]): Response {
  const { name, avatarUrl, onlyManaged } = visitor;
  const shown = guilds.filter(({ isManaged }) => isManaged || !onlyManaged);
  const actions = html`${post("/logout", "Log out")} ${post("/logout/all", "Log out everywhere")}`;
  const content = html`
    ${ownersTicket({
      label: "You",
      picture: picture(avatarUrl, name, "large round"),
      name,
      text: "You are logged in",
      actions,
    })}
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
  return page({ example, images, title: "Your guilds", content });
}

function guildCard({ id, name, icon_url, isManaged, hasBot }: ListedGuild): Html {
  const [text, path] = hasBot ? ["Manage", ""] : ["Invite", "/invite"];
  const link = html`<a class="button quiet small" href="/guilds/${id}${path}">${text}</a>`;
  return html`
    <li class="card stack">
      <div class="entry">${picture(icon_url, name)} <strong>${name}</strong></div>
      <p class="actions">${isManaged ? link : html`<span class="muted">Others manage it</span>`}</p>
    </li>
  `;
}

/** Renders one guild: an invitation, or the settings if the bot is there. */
export function guildPage(guild: ListedGuild, greeting: string): Response {
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
    <form class="card search" method="post" action="/guilds/${id}" ${hasBot ? "" : "hidden"}>
      <label for="greeting">Greeting</label>
      <input id="greeting" name="greeting" maxlength="200" value="${greeting}">
      <button class="button">Save</button>
    </form>
  `;
  return page({ example, images, title: name, content });
}

/** Renders a message. */
export function notice(status: number, title: string, text: string): Response {
  const actions = html`<a class="button" href="/">To the start</a>`;
  return messagePage({ example, title, text, status, actions });
}

/** Renders a button that sends a form, because no link may change anything. */
function post(action: string, text: string): Html {
  const button = html`<button class="button quiet small">${text}</button>`;
  return html`<form method="post" action="${action}">${button}</form>`;
}
