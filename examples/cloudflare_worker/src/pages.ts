/**
 * The pages.
 *
 * @module
 */

import { type PartialGuildObj, Permissions, type UserObj } from "@guildpass/sdk";
import { Html, html } from "../../shared/html.ts";
import { tokens } from "../../shared/tokens.ts";
import type { Problem } from "./problems.ts";

/** The start page: a button to log in, or who is logged in. */
export function homePage(user: UserObj | null): Response {
  return page({
    title: "Your guilds",
    content: user
      ? html`
        <h1>Welcome back, ${nameOf(user)}</h1>
        <div class="actions"><a class="button" href="/me">See your guilds</a>${logOutForm}</div>
      `
      : html`
        <h1>Which guilds are you in?</h1>
        <p>Log in with Discord to see your name and your guilds. This site can read your name, your picture and the
          list of your guilds, and can't change anything.</p>
        <p class="actions"><a class="button" href="/login">Log in with Discord</a></p>
      `,
  });
}

/** Who is logged in, and their guilds. */
export function mePage(
  user: UserObj,
  guilds: readonly PartialGuildObj[],
  cdnUrl: string,
): Response {
  return page({
    title: nameOf(user),
    images: new URL(cdnUrl).origin,
    content: html`
      <header>
        ${picture(user.avatar_url, nameOf(user))}
        <div><h1>${nameOf(user)}</h1><p class="quiet">@${user.username}</p></div>
        ${logOutForm}
      </header>
      <h2>${guilds.length === 1 ? "1 guild" : `${guilds.length} guilds`}</h2>
      <ul>${guilds.map((guild) =>
        html`<li>${picture(guild.icon_url, guild.name)}<div>
          <strong>${guild.name}</strong> <span class="quiet">${roleIn(guild)}</span>
        </div></li>`
      )}</ul>
    `,
  });
}

/** What went wrong, and what to do next. */
export function problemPage({ status, title, text, next, retryAfter }: Problem): Response {
  const toStart = next.href === "/" ? "" : html`<a class="quiet" href="/">To the start</a>`;
  const wait = retryAfter === null ? "" : ` Try again in ${Math.ceil(retryAfter)} seconds.`;
  return page({
    title,
    status,
    content: html`
      <h1>${title}</h1>
      <p role="alert">${text}${wait}</p>
      <p class="actions"><a class="button" href="${next.href}">${next.label}</a>${toStart}</p>
    `,
  });
}

function nameOf(user: UserObj): string {
  return user.global_name ?? user.username;
}

function roleIn({ owner, permissions }: PartialGuildObj): string {
  const mine = new Permissions(permissions);
  if (owner) return "You own it";
  if (mine.has("administrator")) return "You are an administrator";
  return mine.has("manage_guild") ? "You manage it" : "You are a member";
}

/** Hidden from screen readers, because the name is beside it. */
function picture(url: string | null, name: string): Html {
  const [initial = ""] = name;
  return url
    ? html`<img class="picture" src="${url}" alt="" width="48" height="48">`
    : html`<span class="picture" aria-hidden="true">${initial}</span>`;
}

interface Page {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  /** The origin that images may be loaded from. @default {none} */
  readonly images?: string;
}

function page({ title, content, status = 200, images = "'none'" }: Page): Response {
  const nonce = crypto.randomUUID();
  const document = html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${title}</title>
        <style nonce="${nonce}">${style}</style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>
  `;
  return new Response(document.toString(), {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; ` +
        `img-src ${images}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}

const logOutForm = html`
  <form method="post"
    action="/logout"><button class="quiet">Log out</button></form>
`;

const style = new Html(`${tokens}* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: var(--page); color: var(--text); font: 1rem/1.5 var(--sans) }
main { width: min(34rem, 100%); padding: clamp(1.5rem, 6vw, 2.5rem); border-radius: 1rem;
  background: var(--card); box-shadow: 0 .5rem 2.5rem #0002 }
h1 { font-size: 1.6rem; line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere }
h2 { margin: 2rem 0 .5rem; font-size: 1rem }
h1 + p { margin-top: .75rem }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem }
header div { flex: 1 1 8rem; min-width: 0 }
header h1 + p { margin: 0 }
header .picture { width: 4rem; height: 4rem; font-size: 1.5rem }
ul { padding: 0; list-style: none }
li { display: flex; align-items: center; gap: 1rem; padding: .75rem 0;
  border-top: 1px solid var(--border) }
li div { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; gap: 0 1rem;
  justify-content: space-between; overflow-wrap: anywhere }
.picture { flex: none; display: grid; place-items: center; width: 3rem; height: 3rem;
  border-radius: 30%; object-fit: cover; background: var(--accent); color: var(--on-accent); font-weight: 600 }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem; margin-top: 1.75rem }
.quiet { color: var(--quiet-text); font-size: .9rem }
.button, button { padding: .7rem 1.25rem; border: 1px solid transparent; border-radius: .6rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none;
  cursor: pointer }
button.quiet { border-color: var(--border); background: none; color: inherit; padding: .45rem .9rem;
  font-size: .9rem }
.button:hover, button:hover { filter: brightness(1.1) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`);
