/**
 * Builds the consent page, and reads its form.
 *
 * @module
 */

import type { Call } from "../http/call.ts";
import { ownProperty, readForm } from "../http/parameters.ts";
import type { Application } from "../world/application.ts";
import type { Guild } from "../world/guild.ts";
import { permissionLabels } from "../world/permissions.ts";
import { scopeDescriptions } from "../world/scopes.ts";
import type { User } from "../world/user.ts";
import { avatar, image, nameHtml, userName, visibleName } from "./names.ts";
import { errorPage, escapeHtml, htmlPage } from "./page.ts";

/** The request on the consent page. */
export interface ConsentPage {
  readonly application: Application;
  readonly scopes: readonly string[];
  /** The permissions of the bot. */
  readonly permissions: string;
  /** The redirect URI; `null` to stay on this site. */
  readonly redirectUri: string | null;
  /** The guilds to choose from; `null` for a request without a guild. */
  readonly guildChoice: GuildChoice | null;
  /** The user code of the device; `null` for a login without a device. */
  readonly userCode: string | null;
}

/** The choice of a guild on the consent page. */
interface GuildChoice {
  readonly guilds: readonly Guild[];
  /** The id of the preselected guild. */
  readonly selected: string | null;
}

/** Creates the consent page. The form posts to the page's own URL. */
export function consentPage(
  { world, url }: Call,
  user: User,
  { application, scopes, permissions, redirectUri, guildChoice, userCode }: ConsentPage,
): Response {
  return htmlPage(
    `Authorize ${visibleName(application.name)}`,
    `${header(application)}
${userCode === null ? "" : deviceWarning(userCode)}
${accountChooser(url, user, [...world.users.values()])}
<form method="post">
<input type="hidden" name="user" value="${escapeHtml(user.payload.id)}">
${scopeList(application, scopes)}
${guildChoice === null ? "" : guildChooser(guildChoice)}
${scopes.includes("bot") ? permissionList(permissions) : ""}
${buttons(guildChoice)}
</form>
${footnote(redirectUri)}`,
  );
}

/** The choices in the form of the consent page. */
export interface ConsentForm {
  /** `authorize` or `cancel`; `null` if the form is incomplete. */
  readonly action: string | null;
  readonly user: User | undefined;
  readonly guildId: string | null;
}

/** Reads the form of the consent page. */
export function readConsentForm(call: Call): ConsentForm {
  const form = readForm(call);
  return {
    action: form.get("action"),
    user: call.world.users.get(form.get("user") ?? ""),
    guildId: form.get("guild_id"),
  };
}

/** Creates the error page for an incomplete consent form. */
export function incompleteFormPage(): Response {
  return errorPage("The consent form is incomplete.", 400);
}

function header({ id, icon, name, description }: Application): string {
  return `<header>
${image("app-icons", id, icon, name)}
<h1><span>An application</span> ${nameHtml(name)} <span>wants to access your account</span></h1>
${description === "" ? "" : `<p dir="auto">${escapeHtml(description)}</p>`}
</header>`;
}

/** Returns the warning against codes of other people's devices (RFC 8628 section 5.4). */
function deviceWarning(userCode: string): string {
  return `<p>Continue only if your own device shows this code: <strong><code>${
    escapeHtml(userCode)
  }</code></strong></p>`;
}

function accountChooser(url: URL, user: User, users: readonly User[]): string {
  if (users.length < 2) return `<p class="account">Logged in as ${userName(user)}</p>`;
  const links = users.map((other) => {
    const query = new URLSearchParams(url.searchParams);
    query.set("as", other.payload.id);
    const current = other === user ? ` aria-current="true"` : "";
    return `<li><a href="?${escapeHtml(query.toString())}"${current}>${avatar(other)}${
      userName(other)
    }</a></li>`;
  });
  return `<nav aria-label="Account"><h2>Continue as</h2><ul class="accounts">
${links.join("\n")}
</ul></nav>`;
}

function scopeList({ name }: Application, scopes: readonly string[]): string {
  const items = scopes.map((scope) =>
    `<li>${escapeHtml(ownProperty(scopeDescriptions, scope) ?? scope)}</li>`
  );
  return `<section aria-labelledby="scopes">
<h2 id="scopes">This will allow ${nameHtml(name)} to</h2>
<ul class="ticks">
${items.join("\n")}
</ul>
</section>`;
}

function guildChooser({ guilds, selected }: GuildChoice): string {
  if (guilds.length === 0) {
    return `<p role="alert">You can't add this application to any server. You need the permission Manage Server, and also Manage Webhooks for a webhook.</p>`;
  }
  const options = guilds.map(({ payload: { id, name } }) =>
    `<option value="${escapeHtml(id)}"${id === selected ? " selected" : ""}>${
      escapeHtml(visibleName(name))
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

function buttons(guildChoice: GuildChoice | null): string {
  const disabled = guildChoice?.guilds.length === 0 ? " disabled" : "";
  return `<footer>
<button name="action" value="cancel">Cancel</button>
<button name="action" value="authorize" class="main"${disabled}>Authorize</button>
</footer>`;
}

function footnote(redirectUri: string | null): string {
  const target = redirectUri === null
    ? "You'll stay on this site."
    : `You'll then return to <strong>${escapeHtml(hostOrScheme(redirectUri))}</strong>.`;
  return `<p class="small">${target} This is a fake platform, so no real account is involved.</p>`;
}

/** Returns the recognizable part of a redirect URI: the host, or the scheme of a URI without a host. */
function hostOrScheme(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host === "" ? protocol : host;
}
