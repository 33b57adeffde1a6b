/**
 * The pages of the Worker. For a login that can't be finished, `Login` has pages of its own.
 *
 * @module
 */

import {
  GuildpassError,
  type PartialGuildObj,
  Permissions,
  StoreTimeoutError,
  type TextPlatform,
} from "@guildpass/sdk";
import { canInstall } from "@guildpass/sdk/guilds";
import { LoginError, type SessionUser } from "@guildpass/sdk/login";
import { type Html, html } from "../../shared/html.ts";
import { messagePage, nameHtml, ownersTicket, page, picture } from "../../shared/page.ts";

/** The word beside the name in the header. */
const example = "on Cloudflare Workers";

const loginButton = html`
  <a class="button" href="/login?returnTo=/guilds">Log in with Discord</a>
`;
const startButton = html`<a class="button quiet" href="/">Go to the home page</a>`;
const logoutButton = html`
  <form method="post" action="/logout">
    <button class="button quiet">Log out</button>
  </form>
`;
const logoutEverywhereButton = html`
  <form method="post" action="/logout/everywhere">
    <button class="button quiet">Log out everywhere</button>
  </form>
`;

/** Renders the start page: a button to log in, or the name of the user. */
export function homePage(user: SessionUser | null): Response {
  const title = user ? `Welcome back, ${displayName(user)}` : "Which guilds are you in?";
  return page({
    example,
    title,
    isNarrow: true,
    content: html`
      <div class="ticket">
        <div class="stub stack">
          <h1>${title}</h1>
          <p class="lead">
            This site can read your name, your picture and the list of your guilds, and can't change anything.
          </p>
        </div>
        <div class="tear" aria-hidden="true"></div>
        <div class="stub actions">
          ${user
            ? html`<a class="button" href="/guilds">See your guilds</a>${logoutButton}`
            : loginButton}
        </div>
      </div>
    `,
  });
}

/** Renders the user and their guilds. */
export function guildsPage(
  user: SessionUser,
  guilds: readonly PartialGuildObj[],
  { cdnUrl }: TextPlatform,
): Response {
  const name = displayName(user);
  return page({
    example,
    title: name,
    images: new URL(cdnUrl).origin,
    content: html`
      ${ownersTicket({
        label: "You",
        picture: picture(user.avatar_url, name, "large round"),
        name,
        text: html`@${nameHtml(user.username)}`,
        actions: html`${logoutButton}${logoutEverywhereButton}`,
      })}
      <h2>Your guilds <span class="count">${guilds.length}</span></h2>
      <ul class="entries">${guilds.map(guildCard)}</ul>
    `,
  });
}

function guildCard(guild: PartialGuildObj): Html {
  return html`
    <li class="card entry">
      ${picture(guild.icon_url, guild.name)}
      <span>
        <strong>${nameHtml(guild.name)}</strong><br>
        <span class="muted">${describeRole(guild)}</span>
      </span>
    </li>
  `;
}

/** Renders the page for an unknown address. */
export function notFoundPage(): Response {
  const text = "The address may be misspelled.";
  return message(404, "There is nothing here", text, startButton);
}

/** Renders the page after the platform has refused the token: the session has ended. */
export function endedPage(cookies: readonly string[]): Response {
  const text = "Discord no longer accepts your login. Please log in again.";
  const response = message(401, "You were logged out", text, loginButton);
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** Renders an error for the visitor. Logs it if the visitor did not cause it. */
export function errorPage(error: unknown): Response {
  if (error instanceof LoginError && error.reason === "cross_site") {
    const text = "Another site tried to log you out. If you want to log out, do it here.";
    return message(
      403,
      "You weren't logged out",
      text,
      html`${logoutButton}${startButton}`,
    );
  }
  // Errors of @guildpass/sdk contain no secrets.
  console.error(error);
  const again = html`<a class="button" href="/guilds">Try again</a>${startButton}`;
  if (error instanceof GuildpassError && error.retryAfter !== null) {
    const seconds = Math.ceil(error.retryAfter);
    const text = `Please try again in ${seconds} seconds.`;
    const response = message(503, "Discord is busy", text, again);
    response.headers.set("retry-after", `${seconds}`);
    return response;
  }
  if (error instanceof StoreTimeoutError) {
    return message(503, "This site is slow right now", "Please try again in a moment.", again);
  }
  if (error instanceof GuildpassError) {
    return message(
      502,
      "Discord isn't responding",
      "Please try again in a moment.",
      again,
    );
  }
  const text = "It isn't your fault. The log of this site has the reason.";
  return message(500, "Something went wrong", text, startButton);
}

function message(
  status: number,
  title: string,
  text: string,
  actions: Html,
): Response {
  return messagePage({ example, status, title, text, actions });
}

function displayName(user: SessionUser): string {
  return user.global_name ?? user.username;
}

function describeRole(guild: PartialGuildObj): string {
  if (guild.owner) return "You own it";
  if (new Permissions(guild.permissions).has("administrator")) {
    return "You are an administrator";
  }
  return canInstall(guild) ? "You manage it" : "You are a member";
}
