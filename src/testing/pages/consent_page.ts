/**
 * The pages that people see: consent, the code of a device, short notes, and errors.
 *
 * @module
 */

import { lookUp } from "../routes.ts";
import type { Application } from "../world/application.ts";
import type { Guild } from "../world/guild.ts";
import { permissionLabels } from "../world/permissions.ts";
import { scopeDescriptions } from "../world/scopes.ts";
import { randomToken } from "../world/tokens.ts";
import type { User } from "../world/user.ts";
import { escapeHtml } from "./html.ts";

/** What the consent page shows. */
export interface ConsentPage {
  readonly application: Application;
  readonly scopes: readonly string[];
  /** What a bot would be allowed. */
  readonly permissions: string;
  /** `null` when the person stays on this site. */
  readonly redirectUri: string | null;
  /** `null` when there is no guild to choose. */
  readonly guildChoice:
    | { readonly guilds: readonly Guild[]; readonly selected: string | null }
    | null;
  /** The code of the device that asks; `null` when no device does. */
  readonly userCode: string | null;
  /** The address of the page. */
  readonly url: URL;
  /** Who is asked. */
  readonly user: User;
  /** All users, one of whom can be chosen instead. */
  readonly users: readonly User[];
}

/** The page that asks a person for consent. Its form posts to its own address. */
export function consentPage(
  { application, scopes, permissions, redirectUri, guildChoice, userCode, url, user, users }:
    ConsentPage,
): Response {
  const impossible = guildChoice?.guilds.length === 0;
  return page(
    `Authorize ${application.name}`,
    `<header>
${image("app-icons", application.id, application.icon, application.name)}
<h1><span>An application</span> ${
      escapeHtml(application.name)
    } <span>wants to access your account</span></h1>
${application.description === "" ? "" : `<p>${escapeHtml(application.description)}</p>`}
</header>
${userCode === null ? "" : deviceNote(userCode)}
${accountChooser(url, user, users)}
<form method="post">
<input type="hidden" name="user" value="${escapeHtml(user.payload.id)}">
<section aria-labelledby="scopes">
<h2 id="scopes">This will allow ${escapeHtml(application.name)} to</h2>
<ul class="ticks">
${
      scopes.map((scope) => `<li>${escapeHtml(lookUp(scopeDescriptions, scope) ?? scope)}</li>`)
        .join("\n")
    }
</ul>
</section>
${guildChoice === null ? "" : guildChooser(guildChoice)}
${scopes.includes("bot") ? permissionList(permissions) : ""}
<footer>
<button name="action" value="cancel">Cancel</button>
<button name="action" value="authorize" class="main"${
      impossible ? " disabled" : ""
    }>Authorize</button>
</footer>
</form>
<p class="small">${
      redirectUri === null
        ? "You stay on this site afterwards."
        : `Afterwards you go to <strong>${escapeHtml(destination(redirectUri))}</strong>.`
    } This is a fake platform: no real account is involved.</p>`,
  );
}

/** The page to type the code of a device in. */
export function userCodePage(rejected: string | null): Response {
  const alert = rejected === null
    ? ""
    : `<p role="alert" id="rejected">No device is waiting for this code. Look at the device: it may show a new one by now.</p>`;
  return page(
    "Connect a device",
    `<header><h1>Connect a device</h1></header>
${alert}
<form>
<p><label for="code">Code that your device shows</label>
<input id="code" name="user_code" required autocomplete="off" autocapitalize="characters" spellcheck="false" value="${
      escapeHtml(rejected ?? "")
    }"${rejected === null ? "" : ` aria-invalid="true" aria-describedby="rejected"`}></p>
<footer><button class="main">Continue</button></footer>
</form>
<p class="small">This is a fake platform: no real account is involved.</p>`,
    rejected === null ? 200 : 400,
  );
}

/** A page that says what is wrong. */
export function errorPage(message: string, status: number): Response {
  return notePage("Something's not right here", message, status);
}

/** The page that the edge in front of the platform answers with. */
export function edgePage(status: number): Response {
  const messages: Readonly<Record<number, string>> = {
    403: "The edge blocked this client. Error code 1020.",
    429: "The edge limits this address: it sent too many requests. Error code 1015.",
  };
  const message = messages[status] ?? `The platform can't be reached. Error code ${status}.`;
  return notePage(status < 500 ? "Access denied" : "Out of reach", message, status);
}

/** A page that says one thing. */
export function notePage(title: string, message: string, status = 200): Response {
  const role = status < 400 ? "status" : "alert";
  return page(
    title,
    `<header><h1>${escapeHtml(title)}</h1></header>
<p role="${role}">${escapeHtml(message)}</p>`,
    status,
  );
}

function accountChooser(url: URL, user: User, users: readonly User[]): string {
  if (users.length < 2) return `<p class="account">Signed in as ${nameOf(user)}</p>`;
  const links = users.map((other) => {
    const query = new URLSearchParams(url.searchParams);
    query.set("as", other.payload.id);
    const current = other === user ? ` aria-current="true"` : "";
    const { id, avatar } = other.payload;
    return `<li><a href="?${escapeHtml(query.toString())}"${current}>${
      image("avatars", id, avatar, displayName(other))
    }${nameOf(other)}</a></li>`;
  });
  return `<nav aria-label="Account"><h2>Continue as</h2><ul class="accounts">
${links.join("\n")}
</ul></nav>`;
}

/** Warns people who were sent a link with the code of a stranger's device (RFC 8628 section 5.4). */
function deviceNote(userCode: string): string {
  return `<p>Go on only if this code is on a device of your own: <strong><code>${
    escapeHtml(userCode)
  }</code></strong></p>`;
}

function guildChooser({ guilds, selected }: NonNullable<ConsentPage["guildChoice"]>): string {
  if (guilds.length === 0) {
    return `<p role="alert">You can't add this application anywhere: you need the permission Manage Server, and Manage Webhooks for a webhook.</p>`;
  }
  const options = guilds.map(({ payload: { id, name } }) =>
    `<option value="${escapeHtml(id)}"${id === selected ? " selected" : ""}>${
      escapeHtml(name)
    }</option>`
  );
  return `<p><label for="guild">Add to server</label>
<select id="guild" name="guild_id">
${options.join("\n")}
</select></p>`;
}

function permissionList(permissions: string): string {
  const labels = permissionLabels(permissions);
  const list = labels.length === 0
    ? "<p>No permissions.</p>"
    : `<ul class="chips">${labels.map((label) => `<li>${label}</li>`).join("")}</ul>`;
  return `<section aria-labelledby="permissions">
<h2 id="permissions">With the permissions <code>${escapeHtml(permissions)}</code></h2>
${list}
</section>`;
}

function image(kind: string, id: string, hash: string | null, name: string): string {
  return hash === null
    ? `<span class="tile" aria-hidden="true">${escapeHtml(Array.from(name)[0] ?? "")}</span>`
    : `<img class="tile" alt="" src="/cdn/${kind}/${id}/${encodeURIComponent(hash)}.png?size=64">`;
}

function displayName(user: User): string {
  return user.payload.global_name ?? user.payload.username;
}

function nameOf(user: User): string {
  return `<span class="name">${escapeHtml(displayName(user))} <small>@${
    escapeHtml(user.payload.username)
  }</small></span>`;
}

/** Where a redirect leads, in the form that people recognize: the host, or the scheme if there is none. */
function destination(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host === "" ? protocol : host;
}

function page(title: string, content: string, status = 200): Response {
  const nonce = randomToken("nonce");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${pageStyle}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      // No form-action: browsers apply it to every redirect that follows the form, and the platform can't list where
      // an application redirects after its callback.
      "content-security-policy": "default-src 'none'; img-src 'self'; " +
        `style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
  });
}

const pageStyle = `
:root { color-scheme: light dark; --card: #fff; --page: #e9ebf3; --text: #1d2030; --dim: #555a70;
  --main: #4752c4; --chip: #eef0f8 }
@media (prefers-color-scheme: dark) { :root { --card: #26283a; --page: #15161f; --text: #f1f2f8;
  --dim: #b0b4c8; --main: #5865f2; --chip: #34374e } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(30rem, 100%); padding: 1.75rem; border-radius: .75rem; background: var(--card);
  box-shadow: 0 .5rem 2rem #0003 }
header { text-align: center }
header .tile { width: 4.5rem; height: 4.5rem; font-size: 2rem }
h1 { margin: .5rem 0; font-size: 1.4rem; line-height: 1.3 }
h1 span { display: block; font-size: .95rem; font-weight: 400; color: var(--dim) }
h2 { margin: 1.25rem 0 .5rem; font-size: .8rem; letter-spacing: .03em; text-transform: uppercase;
  color: var(--dim) }
ul { margin: 0; padding: 0; list-style: none }
.tile { display: inline-grid; place-items: center; width: 2rem; height: 2rem; border-radius: 30%;
  background: var(--main); color: #fff; font-weight: 600 }
.ticks li { padding: .35rem 0 .35rem 1.9rem; position: relative }
.ticks li::before { content: "✓"; position: absolute; left: .2rem; font-weight: 700; color: #2b9a57 }
.accounts { display: grid; gap: .4rem }
.accounts a { display: flex; align-items: center; gap: .7rem; padding: .5rem .7rem; color: inherit;
  text-decoration: none; border: 1px solid var(--dim); border-radius: .5rem }
.accounts a[aria-current] { border-color: var(--main); box-shadow: inset 0 0 0 1px var(--main) }
.name small { color: var(--dim) }
.chips { display: flex; flex-wrap: wrap; gap: .35rem }
.chips li { padding: .1rem .6rem; border-radius: 1rem; background: var(--chip); font-size: .85rem }
label { display: block; font-weight: 600 }
select, input:not([type=hidden]) { width: 100%; margin-top: .3rem; padding: .6rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--dim); border-radius: .5rem }
footer { display: flex; gap: .75rem; margin-top: 1.5rem }
button { flex: 1; padding: .7rem; font: inherit; font-weight: 600; color: inherit; cursor: pointer;
  background: transparent; border: 1px solid var(--dim); border-radius: .5rem }
button.main { color: #fff; background: var(--main); border-color: var(--main) }
button:disabled { opacity: .5; cursor: not-allowed }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
code { text-transform: none }
[role=status] { text-align: center }
[role=alert] { padding: .75rem; border-radius: .5rem; background: #c0392b22; border: 1px solid #c0392b88 }
.small { margin: 1.25rem 0 0; font-size: .85rem; color: var(--dim); text-align: center }
`;
