/**
 * The demo's pages.
 *
 * @module
 */

import { type GuildObj, type PartialGuildObj, Permissions } from "../../mod.ts";
import { canInstall } from "../../src/guilds.ts";
import type { SessionUser } from "../../src/login/mod.ts";
import {
  type PermissionGroup,
  permissionInfo,
  type PermissionName,
} from "../../src/permissions/permission_info.ts";
import { type Html, html } from "../shared/html.ts";
import { messagePage, nameHtml, ownersTicket, page, picture, visibleName } from "../shared/page.ts";
import { describeMatches, matches } from "./guild_filter/matching.ts";
import { groupGuilds } from "./guild_order.ts";
import { moduleAddress } from "./modules.ts";
import type { Step } from "./steps.ts";
import { stepsPart } from "./steps_part.ts";

/** The word beside the name in the header. */
const example = "demo";

/** The origins of images: the fake platform on this one, and the CDN of the real platform. */
const images = "'self' https://cdn.discordapp.com";

/** Renders the start page. With `hasEnded`, it says that the platform has ended the login. */
export function homePage(
  { isFake, hasEnded, steps = [] }: {
    readonly isFake: boolean;
    readonly hasEnded: boolean;
    readonly steps?: readonly Step[];
  },
): Response {
  return page({
    example,
    title: "Log in",
    isNarrow: true,
    status: hasEnded ? 401 : 200,
    content: html`
      ${hasEnded
        ? html`
          <p class="alert"
            role="alert">You were logged out because the platform no longer accepts your login.</p>
        `
        : ""}
      <div class="ticket">
        <div class="stub stack">
          <h1>A whole login on your machine</h1>
          <p class="lead">
            Log in, look at your guilds, and build an invite link. The login is protected by state and PKCE, and the
            tokens never reach the page.
          </p>
        </div>
        <div class="tear" aria-hidden="true"></div>
        <div class="stub actions">
          <a class="button" href="/login">Log in with Discord${isFake ? " (fake platform)" : ""}</a>
          <a class="button quiet" href="/invite">Build an invite link</a>
        </div>
      </div>
      <p class="muted">${isFake
        ? "This is a fake platform: no account needed, and no request leaves this machine."
        : "This is the real platform, with your application."}</p>
      ${stepsPart(steps, {})}
    `,
  });
}

/** Renders the user, and the guilds with names that match the filter. */
export function profilePage(
  user: SessionUser,
  guilds: readonly PartialGuildObj[],
  { isFake, filter, steps = [], areStepsOpen = false }: {
    readonly isFake: boolean;
    readonly filter: string;
    readonly steps?: readonly Step[];
    readonly areStepsOpen?: boolean;
  },
): Response {
  const name = user.global_name ?? user.username;
  return page({
    example,
    images,
    title: visibleName(name),
    ...(guilds.length > 0 && { script: moduleAddress("examples/demo/guild_filter/main") }),
    content: html`
      ${ownersTicket({
        label: "You",
        picture: picture(user.avatar_url, name, "large round"),
        name,
        text: html`@${nameHtml(user.username)} · ${user.id}`,
        actions: html`
          <form method="post" action="/logout"><button class="button quiet">Log out</button></form>
        `,
      })}
      ${stepsPart(steps, { isOpen: areStepsOpen, canReplay: true })}
      <div class="heading">
        <h2>Your guilds <span class="count">${guilds.length}</span></h2>
        <a class="button small" href="/invite">Build an invite link</a>
      </div>
      ${guilds.length === 0 ? emptyList(isFake) : guildList(guilds, filter)}
    `,
  });
}

function emptyList(isFake: boolean): Html {
  return html`
    <section class="card stack">
      <h3>You aren't in any guilds yet</h3>
      <p class="lead">${isFake
        ? "Log out, then log in as a user who has guilds."
        : "Create or join one in Discord. Then look again."}</p>
      <p class="actions"><a class="button quiet small" href="/">Look again</a></p>
    </section>
  `;
}

/** Renders all guilds. Those that don't match are hidden, so that the script can show them without a request. */
function guildList(guilds: readonly PartialGuildObj[], filter: string): Html {
  const { managed, others } = groupGuilds(guilds);
  const shown = guilds.filter(({ name }) => matches(name, filter));
  return html`
    <form class="search" role="search" id="filter-form" action="/">
      <label class="visually-hidden" for="filter">Filter guilds by name</label>
      <input id="filter" name="filter" type="search" value="${filter}" placeholder="Filter by name"
        spellcheck="false">
      <button class="button quiet small" id="filter-button">Filter</button>
      <span class="muted" id="filter-status" role="status">${describeMatches(
        shown.length,
        guilds.length,
      )}</span>
    </form>
    ${guildSection("Guilds that you manage", managed, filter)}
    ${guildSection("Other guilds", others, filter)}
  `;
}

function guildSection(title: string, guilds: readonly PartialGuildObj[], filter: string): Html {
  if (guilds.length === 0) return html``;
  const hasMatch = guilds.some(({ name }) => matches(name, filter));
  return html`
    <section class="stack" data-guilds ${hasMatch ? "" : "hidden"}>
      <h3>${title} <span class="count">${guilds.length}</span></h3>
      <ul class="entries">${guilds.map((guild) => guildCard(guild, filter))}</ul>
    </section>
  `;
}

function guildCard(guild: PartialGuildObj, filter: string): Html {
  const isShown = matches(guild.name, filter);
  return html`
    <li class="card stack" data-guild="${guild.name}" ${isShown ? "" : "hidden"}>
      <a class="entry" href="/guild?id=${guild.id}">
        ${picture(guild.icon_url, guild.name)}
        <span><strong>${nameHtml(guild.name)}</strong><br><span class="muted">${roleIn(
          guild,
        )}</span></span>
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

/** The bot's view of a guild. */
export type BotView =
  | { readonly kind: "member"; readonly guild: GuildObj }
  | { readonly kind: "missing" }
  | { readonly kind: "unknown"; readonly note: string };

/** Renders one guild: the entry in the list of guilds, and the details if the bot can read them. */
export function guildPage(
  entry: PartialGuildObj,
  view: BotView,
  steps: readonly Step[] = [],
): Response {
  const guild = view.kind === "member" ? view.guild : null;
  const note = noteAbout(view, canInstall(entry));
  const facts: [string, string | number | null | undefined][] = guild
    ? [
      ["Members", guild.approximate_member_count?.toLocaleString("en")],
      ["Online", guild.approximate_presence_count?.toLocaleString("en")],
      ["Roles", guild.roles?.length],
      ["Emojis", guild.emojis?.length],
      ["Stickers", guild.stickers?.length],
      ["Boosts", guild.premium_subscription_count],
      ["Verification", verificationLevels[guild.verification_level ?? -1]],
      ["Language", languageName(guild.preferred_locale)],
    ]
    : [];
  const permissions = new Permissions(entry.permissions);
  const about = guild?.description
    ? html`
      · <bdi>${guild.description}</bdi>
    `
    : "";
  return page({
    example,
    images,
    title: visibleName(entry.name),
    links: html`<a href="/">← Your guilds</a>`,
    content: html`
      ${ownersTicket({
        label: "Guild",
        picture: picture(entry.icon_url, entry.name, "large"),
        name: entry.name,
        text: [roleIn(entry), about],
        actions: invitation(entry, view),
      })}
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
          <section class="card stack">
            <h2>Roles <span class="count">${guild.roles.length}</span></h2>
            <ul class="chips">${guild.roles.map(({ id, name }) =>
              html`<li class="chip">${nameHtml(name ?? id)}</li>`
            )}</ul>
          </section>
        `
        : ""}
      <section class="card stack">
        <h2>Your permissions here</h2>
        ${permissionGroups(permissions)}
      </section>
      ${stepsPart(steps, {})}
    `,
  });
}

const verificationLevels = ["None", "Low", "Medium", "High", "Highest"];

/** Returns the English name of a language, such as "American English". */
function languageName(locale: string | null): string | null {
  if (locale === null) return null;
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(locale) ?? locale;
  } catch {
    return locale; // It is not a language tag.
  }
}

/** Renders the invitation where it can work: the person may invite the bot, and it is not there yet, as far as is known. */
function invitation(entry: PartialGuildObj, { kind }: BotView): Html {
  if (kind === "member") return html`<p>The bot is here</p>`;
  if (!canInstall(entry)) return html`<p>You can't invite the bot</p>`;
  return html`<a class="button" href="/invite?guild_id=${entry.id}">Invite the bot here</a>`;
}

/** Returns what the page can't show or offer, and why. */
function noteAbout(view: BotView, mayInvite: boolean): string {
  if (view.kind === "member") return "";
  const found = view.kind === "unknown" ? view.note : "The bot isn't in this guild";
  if (!mayInvite) {
    return `${found}. To invite the bot, you need the permission Manage Server here`;
  }
  return view.kind === "unknown" ? found : `${found}: invite it to see more`;
}

const groups: readonly [PermissionGroup, string][] = [
  ["general", "General"],
  ["membership", "Membership"],
  ["text", "Text channels"],
  ["voice", "Voice channels"],
  ["stage", "Stage channels"],
  ["advanced", "Advanced"],
];

/** Renders a page with a message, and with a link to log in if that may help. */
export function notice(title: string, text: string, status = 200, offerLogin = false): Response {
  const actions = offerLogin
    ? html`
      <a class="button" href="/login">Try again</a>
      <a class="button quiet" href="/">Go to the home page</a>
    `
    : html`<a class="button" href="/">Go to the home page</a>`;
  return messagePage({ example, title, text, status, actions });
}

/** Renders the page for a browser that has opened the demo under another name. */
export function wrongAddressPage(origin: string): Response {
  return notice("Wrong address", `Open ${origin}`, 421);
}

/** Renders permissions in groups, folded. An administrator has all of them, listed or not. */
function permissionGroups(permissions: Permissions): Html {
  const names = permissions.toArray();
  if (names.length === 0) return html`<p class="muted">No permissions</p>`;
  const shown = groups.map(([group, title]) => ({
    title,
    names: names.filter((name) => permissionInfo[name].group === group),
  })).filter(({ names }) => names.length > 0);
  return html`
    <details>
      <summary>${permissions.has("administrator")
        ? "Administrator: all permissions"
        : shortList(names)}</summary>
      ${shown.map(({ title, names }) =>
        html`
          <details>
            <summary>${title} <span class="count">${names.length}</span></summary>
            <ul class="chips">${names.map((name) =>
              html`<li class="chip${name === "administrator" ? " warning" : ""}">${
                permissionInfo[name].label
              }</li>`
            )}</ul>
          </details>
        `
      )}
    </details>
  `;
}

/** Names a few permissions, the powerful ones first. */
function shortList(names: readonly PermissionName[]): string {
  const labels = names.map((name) => permissionInfo[name])
    .sort((one, other) => Number(other.elevated) - Number(one.elevated))
    .map(({ label }) => label);
  const shown = labels.slice(0, 3);
  const rest = labels.length - shown.length;
  return shown.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
