/**
 * The demo's pages.
 *
 * @module
 */

import {
  type GuildObj,
  type PartialGuildObj,
  type PermissionName,
  Permissions,
} from "../../mod.ts";
import { canInstall } from "../../src/guilds.ts";
import type { SessionUser } from "../../src/login/mod.ts";
import { type PermissionGroup, permissionInfo } from "../../src/permissions/info.ts";
import { type Html, html } from "../shared/html.ts";
import { tokens } from "../shared/tokens.ts";

/** The start page; with `hasEnded` it says that the platform has ended the login. */
export function homePage(
  { isFake, hasEnded }: { readonly isFake: boolean; readonly hasEnded: boolean },
): string {
  return page(
    "Log in",
    html`
      <section class="hero">
        ${hasEnded
          ? html`
            <p class="card"
              role="alert">Your login has ended: the platform no longer accepts it.</p>
          `
          : ""}
        <p class="eyebrow">@guildpass/sdk</p>
        <h1>A whole login, on your machine</h1>
        <p class="lead">
          Log in, look at your guilds, and build an invite link. The login is protected by state and PKCE, and the
          tokens stay on the server.
        </p>
        <p class="actions"><a class="button" href="/login">Log in with Discord${isFake
          ? " (fake platform)"
          : ""}</a> <a class="quiet" href="/invite">Build an invite link</a></p>
        ${isFake
          ? html`
            <p
              class="note">This runs on a fake platform: you need no account, and no request leaves this machine.</p>
          `
          : html`<p class="note">This runs on the real platform, with your application.</p>`}
      </section>
    `,
  );
}

/** Who is logged in, and their guilds. */
export function profilePage(
  user: SessionUser,
  guilds: readonly PartialGuildObj[],
): string {
  const name = user.global_name ?? user.username;
  return page(
    name,
    html`
      <section class="person card">
        ${picture(user.avatar_url, name, "avatar")}
        <div>
          <p class="eyebrow">You are</p>
          <h1>${name}</h1>
          <p class="muted">@${user.username} · ${user.id}</p>
        </div>
        <form method="post" action="/logout"><button class="quiet">Log out</button></form>
      </section>
      <div class="title">
        <h2>Your guilds <span class="count">${guilds.length}</span></h2>
        <a class="button small" href="/invite">Build an invite link</a>
      </div>
      <ul class="guilds">${guilds.map(guildCard)}</ul>
    `,
    true,
  );
}

function guildCard(guild: PartialGuildObj): Html {
  return html`
    <li class="card">
      <a class="guild" href="/guild?id=${guild.id}">
        ${picture(guild.icon_url, guild.name, "icon")}
        <span><strong>${guild.name}</strong><br /><span class="muted">${roleIn(guild)}</span></span>
      </a>
      ${permissionGroups(new Permissions(guild.permissions))}
    </li>
  `;
}

function roleIn(guild: PartialGuildObj): string {
  if (guild.owner) return "You own it";
  if (new Permissions(guild.permissions).has("administrator")) return "You are an administrator";
  return canInstall(guild) ? "You manage it" : "You are a member";
}

/** One guild: what the list of guilds says about it, and what the bot can read when it is in there. */
export function guildPage(
  entry: PartialGuildObj,
  guild: GuildObj | null,
  note: string | null,
): string {
  const facts: [string, string | number | null | undefined][] = guild
    ? [
      ["Members", guild.approximate_member_count],
      ["Online", guild.approximate_presence_count],
      ["Roles", guild.roles?.length],
      ["Emojis", guild.emojis?.length],
      ["Stickers", guild.stickers?.length],
      ["Boosts", guild.premium_subscription_count],
      ["Verification level", guild.verification_level],
      ["Locale", guild.preferred_locale],
    ]
    : [];
  const permissions = new Permissions(entry.permissions);
  return page(
    entry.name,
    html`
      <p><a href="/">← Your guilds</a></p>
      <section class="person card">
        ${picture(entry.icon_url, entry.name, "avatar")}
        <div>
          <p class="eyebrow">Guild</p>
          <h1>${entry.name}</h1>
          <p class="muted">${roleIn(entry)}${guild?.description
            ? ` · ${guild.description}`
            : ""}</p>
        </div>
        <a class="button small" href="/invite?guild_id=${entry.id}">Invite the bot here</a>
      </section>
      ${note ? html`<p class="note" role="status">${note}</p>` : ""}
      ${guild
        ? html`<dl class="facts card">${
          facts.map(([name, value]) =>
            html`
              <div>
                <dt>${name}</dt>
                <dd>${value ?? "–"}</dd>
              </div>
            `
          )
        }</dl>`
        : ""}
      ${guild?.roles
        ? html`
          <h2>Roles</h2>
          <ul class="chips">${guild.roles.map(({ id, name }) => html`<li>${name ?? id}</li>`)}</ul>
        `
        : ""}
      <h2>Your permissions here <code>${permissions.toString()}</code></h2>
      ${permissionGroups(permissions)}
    `,
    true,
  );
}

/** The invite link for the ticked permissions. */
export function invitePage(
  permissions: Permissions,
  link: string,
  guildId: string | undefined,
  isLoggedIn: boolean,
): string {
  const names = Object.keys(Permissions.flags) as PermissionName[];
  return page(
    "Invite link",
    html`
      <p><a href="/">← ${isLoggedIn ? "Your guilds" : "Start"}</a></p>
      <h1>Build an invite link</h1>
      <section class="result card" aria-labelledby="link">
        <h2 id="link">The link asks for ${permissions.toArray().length} of ${names
          .length} permissions</h2>
        <p class="link"><code>${link}</code></p>
        <p class="actions">
          <a class="button" href="${link}">Open it</a>
          <span class="muted">As an integer: <code>${permissions.toString()}</code></span>
        </p>
      </section>
      <form action="/invite">
        ${guildId ? html`<input type="hidden" name="guild_id" value="${guildId}">` : ""}
        ${groups.map(([group, legend]) =>
          html`
            <fieldset class="card">
              <legend>${legend}</legend>
              <div class="ticks">${names.filter((name) => permissionInfo[name].group === group).map(
                (name) => tick(name, permissions),
              )}</div>
            </fieldset>
          `
        )}
        <p class="update"><button class="button">Update the link</button></p>
      </form>
    `,
    isLoggedIn,
  );
}

const groups: readonly [PermissionGroup, string][] = [
  ["general", "General"],
  ["membership", "Membership"],
  ["text", "Text channels"],
  ["voice", "Voice channels"],
  ["stage", "Stage channels"],
  ["advanced", "Advanced"],
];

function tick(name: PermissionName, permissions: Permissions): Html {
  const checked = permissions.has(name) ? " checked" : "";
  const { label, description } = permissionInfo[name];
  return html`
    <label
      title="${description}"><input type="checkbox" name="p" value="${name}"${checked}> ${label}</label>
  `;
}

/** A page with a message, and with a link to log in if that may help. */
export function messagePage(title: string, text: string, offerLogin = false): string {
  return page(
    title,
    html`
      <section class="hero">
        <h1>${title}</h1>
        <p class="lead" role="alert">${text}</p>
        <p class="actions">
          ${offerLogin ? html`<a class="button" href="/login">Try again</a>` : ""}
          <a class="quiet" href="/">To the start</a>
        </p>
      </section>
    `,
  );
}

/** Permissions, folded away and grouped. An administrator may do everything, however many are listed. */
function permissionGroups(permissions: Permissions): Html {
  const names = permissions.toArray();
  if (names.length === 0) return html`<p class="muted">No permissions</p>`;
  const count = names.length === 1 ? "1 permission" : `${names.length} permissions`;
  const shown = groups.map(([group, title]) => ({
    title,
    names: names.filter((name) => permissionInfo[name].group === group),
  })).filter(({ names }) => names.length > 0);
  return html`
    <details>
      <summary>${permissions.has("administrator")
        ? "Administrator: all permissions"
        : count}</summary>
      ${shown.map(({ title, names }) =>
        html`
          <details>
            <summary>${title} <span class="count">${names.length}</span></summary>
            <ul class="chips">${names.map((name) =>
              html`<li class="${name === "administrator" ? "strong" : "plain"}">${
                permissionInfo[name].label
              }</li>`
            )}</ul>
          </details>
        `
      )}
    </details>
  `;
}

function picture(url: string | null, name: string, kind: "avatar" | "icon"): Html {
  const initials = name.split(/\s+/, 2).map((word) => [...word][0]).join("");
  return url
    ? html`<img class="${kind}" src="${url}" alt="" width="64" height="64">`
    : html`<span class="${kind} initials" aria-hidden="true">${initials}</span>`;
}

function page(title: string, body: Html, wide = false): string {
  return String(html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>${title} · Guildpass demo</title>
        <link rel="icon" href="/icon.svg">
        <link rel="stylesheet" href="/style.css">
      </head>
      <body>
        <header
          class="top"><a href="/"><span aria-hidden="true" class="mark"></span>Guildpass <span class="muted">demo</span></a></header>
        <main class="${wide ? "wide" : "narrow"}">
    ${body}
        </main>
      </body>
    </html>
  `).trim();
}

/** The icon of all pages. */
export const icon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3d3aa8" d="M8 1a7 7 0 0 1 0 14H1V8a7 7 0 0 1 7-7z"/></svg>`;

/** The style of all pages. */
export const stylesheet = `${tokens}* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.55 var(--sans);
}
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.top { padding: 1.1rem 1.5rem; border-bottom: 1px solid var(--border); font-weight: 650; }
.top a { color: inherit; text-decoration: none; display: inline-flex; align-items: center; gap: .55rem; }
.mark { width: 1.05rem; height: 1.05rem; border-radius: 50% 50% 50% 0; background: var(--accent); }
main { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 44rem; }
main.wide { max-width: 60rem; }
h1 { text-wrap: balance; overflow-wrap: anywhere; font-size: clamp(1.6rem, 4vw, 2.3rem); line-height: 1.15; letter-spacing: -.02em; margin: 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .8rem; }
p { margin: .8rem 0; }
.muted, .note { color: var(--quiet-text); font-weight: 400; }
.eyebrow { margin: 0 0 .3rem; color: var(--warning); font-size: .85rem; font-weight: 600; }
.hero { padding: 9vh 0; }
.lead { font-size: 1.15rem; color: var(--quiet-text); max-width: 34rem; margin-bottom: 1.6rem; }
.note { font-size: .92rem; border-left: 3px solid var(--border); padding-left: .8rem; margin-top: 1.8rem; }
.button, .quiet {
  display: inline-block; padding: .6rem 1.2rem; border-radius: 10px; border: 1px solid transparent;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
.button { background: var(--accent); color: var(--on-accent); }
.quiet { background: none; color: var(--accent); border-color: var(--border); }
.button:hover, .quiet:hover { filter: brightness(1.1); }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .7rem; }
.small { padding: .4rem .9rem; font-size: .92rem; }
.card { background: var(--card); border: 1px solid var(--border); border-radius: 16px; padding: 1.1rem 1.25rem; }
.person { display: flex; gap: 1.1rem; align-items: center; flex-wrap: wrap; }
.person > div { flex: 1 1 14rem; min-width: 0; }
.person p { margin: .1rem 0; overflow-wrap: anywhere; }
.title { display: flex; align-items: center; justify-content: space-between; flex-wrap: wrap; gap: .5rem; margin-top: 1.8rem; }
.title h2 { margin: 0; }
.count { font-size: .85rem; color: var(--quiet-text); font-weight: 500; margin-left: .3rem; }
.avatar { width: 4.5rem; height: 4.5rem; border-radius: 50%; }
.icon { width: 3rem; height: 3rem; border-radius: 14px; }
.avatar, .icon { flex: none; object-fit: cover; background: var(--border); }
.initials { display: inline-grid; place-items: center; font-weight: 650; color: var(--quiet-text); }
.guilds { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: .9rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); align-items: start; }
.guild { display: flex; gap: .9rem; align-items: center; color: inherit; text-decoration: none; }
.guild strong { overflow-wrap: anywhere; }
.guild:hover strong { text-decoration: underline; }
details { margin-top: .9rem; border-top: 1px solid var(--border); padding-top: .7rem; }
summary { cursor: pointer; color: var(--quiet-text); }
.chips { list-style: none; padding: 0; margin: .8rem 0 0; display: flex; flex-wrap: wrap; gap: .4rem; }
.chips li { border: 1px solid var(--border); border-radius: 999px; padding: .12rem .7rem; font-size: .88rem; }
.chips .strong { border-color: var(--warning); color: var(--warning); font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(max(7.5rem, 20%), 1fr)); gap: 1rem; margin: 1.2rem 0; }
dt { color: var(--quiet-text); font-size: .85rem; }
dd { margin: 0; font-size: 1.25rem; font-weight: 650; }
code { font: .9em var(--mono); overflow-wrap: anywhere; }
.result { margin: 1.4rem 0; }
.result h2 { margin: 0 0 .6rem; }
.link { background: var(--page); border-radius: 10px; padding: .7rem .9rem; }
fieldset { margin: 0 0 1rem; }
legend { font-weight: 650; padding: 0 .4rem; }
.ticks { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .35rem 1rem; }
.ticks label { display: flex; gap: .55rem; align-items: center; padding: .15rem 0; }
input[type=checkbox] { width: 1.1rem; height: 1.1rem; accent-color: var(--accent); margin: 0; }
.update { position: sticky; bottom: 0; padding: .8rem 0; margin: 0; background: linear-gradient(transparent, var(--page) 35%); }
`;
