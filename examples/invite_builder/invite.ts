/**
 * What the page edits: one invitation, how it is read from a link or a fragment, and the link it makes.
 *
 * Text from outside is kept as text: the library judges it, and the page shows what the library says.
 *
 * @module
 */

import { AuthUrl, Bot } from "../../src/links/auth_url.ts";
import { Permissions } from "../../src/permissions/permissions.ts";
import type { KnownScope } from "../../src/links/scopes.ts";

/** Where the application is installed: as its settings say, in a server, or for a person. */
export type Installation = "default" | "server" | "user";

/** Everything that a person can set in the page. */
export interface Invite {
  readonly clientId: string;
  readonly permissions: bigint;
  /** The scopes besides `bot`. */
  readonly scopes: readonly string[];
  readonly installation: Installation;
  readonly guildId: string;
  readonly lockGuild: boolean;
  readonly redirectUri: string;
}

/** What the page starts with: slash commands and nothing else. */
export const emptyInvite: Invite = {
  clientId: "",
  permissions: 0n,
  scopes: ["applications.commands"],
  installation: "default",
  guildId: "",
  lockGuild: false,
  redirectUri: "",
};

/** What the library finds wrong with each field; nothing for one that is right, or empty and not needed yet. */
export interface InviteProblems {
  readonly clientId?: string | undefined;
  readonly scopes?: string | undefined;
  readonly guildId?: string | undefined;
  readonly redirectUri?: string | undefined;
}

/**
 * The link of an invitation.
 *
 * @throws {TypeError} The library's own, naming what is wrong.
 */
export async function inviteLink(invite: Invite): Promise<string> {
  const { clientId, permissions, redirectUri } = invite;
  const scope = scopesOf(invite);
  if (invite.installation === "user") {
    if (needsRedirect(invite)) {
      return await new AuthUrl(clientId, scope, redirectUri).makeUrl({ integrationType: 1 });
    }
    // A bot link always asks for `bot`, which stands for a member of a server: here there is none.
    const link = new URL(await new Bot(clientId).url({ integrationType: 1 }));
    link.searchParams.set("scope", scope.join(" "));
    return link.href;
  }
  const params = {
    guildId: invite.guildId || undefined,
    disableGuildSelect: invite.guildId && invite.lockGuild ? true : undefined,
    integrationType: invite.installation === "server" ? 0 : undefined,
  } as const;
  return needsRedirect(invite)
    ? await new AuthUrl(clientId, scope, redirectUri, permissions).makeUrl(params)
    : await new Bot(clientId, permissions, { scope }).url(params);
}

/** What is wrong with an invitation, field by field, in the library's words. */
export async function problemsOf(invite: Invite): Promise<InviteProblems> {
  const { clientId, scopes, guildId, redirectUri } = invite;
  return {
    clientId: clientId ? await problem(() => new Bot(clientId).href) : undefined,
    scopes: await problem(() => new Bot("0", null, { scope: scopes }).href),
    guildId: guildId ? await problem(() => new Bot("0").url({ guildId })) : undefined,
    redirectUri: needsRedirect(invite)
      ? await problem(() => new AuthUrl("0", ["bot"], redirectUri).href)
      : undefined,
  };
}

/** Whether the scopes end in a code that somebody must receive: all but those of a plain invitation. */
export function needsRedirect({ scopes }: Pick<Invite, "scopes">): boolean {
  return scopes.some((scope) => scope !== "applications.commands");
}

/** The invitation as a fragment, in the words of the authorize link; empty for an empty one. */
export function toFragment(invite: Invite): string {
  if (sameInvite(invite, emptyInvite)) return "";
  const query = new URLSearchParams();
  if (invite.clientId) query.set("client_id", invite.clientId);
  query.set("scope", ["bot", ...invite.scopes].join(" "));
  query.set("permissions", String(invite.permissions));
  if (invite.installation !== "default") {
    query.set("integration_type", invite.installation === "user" ? "1" : "0");
  }
  if (invite.guildId) query.set("guild_id", invite.guildId);
  if (invite.lockGuild) query.set("disable_guild_select", "true");
  if (invite.redirectUri) query.set("redirect_uri", invite.redirectUri);
  return query.toString();
}

/**
 * The invitation that a fragment, a query or a whole link describes.
 *
 * @throws {TypeError} When its permissions are none.
 */
export function readInvite(text: string): Invite {
  const query = new URLSearchParams(queryOf(text.slice(0, longest)));
  const word = (name: string, most = 100): string => (query.get(name) ?? "").trim().slice(0, most);
  const scopes = query.get("scope")?.split(/[\s,]+/).filter((scope) => scope && scope !== "bot");
  const integrationType = word("integration_type");
  return {
    clientId: word("client_id"),
    permissions: readPermissions(word("permissions", longest) || "0"),
    scopes: scopes ? [...new Set(scopes)] : emptyInvite.scopes,
    installation: integrationType === "0" ? "server" : integrationType === "1" ? "user" : "default",
    guildId: word("guild_id"),
    lockGuild: word("disable_guild_select") === "true",
    redirectUri: word("redirect_uri", 2000),
  };
}

/**
 * What somebody pasted, put into an invitation: a whole link replaces everything, and a value in decimal or
 * hexadecimal, or names, only the permissions.
 *
 * @throws {TypeError} When it is neither.
 */
export function readPaste(pasted: string, invite: Invite): Invite {
  const text = pasted.trim();
  if (text === "") throw TypeError("Paste a link or a permission value first");
  if (text.length > longest) {
    throw TypeError(`A link has at most ${longest} characters, received ${text.length}`);
  }
  if (/\b(?:client_id|permissions)=/.test(text)) {
    return readInvite(text);
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) {
    throw TypeError("The link has neither client_id nor permissions, so there is nothing to edit");
  }
  return { ...invite, permissions: readPermissions(text) };
}

/** Scopes offered by name, with what they are for. Each of them but the first ends in a code. */
export const offeredScopes: Readonly<Partial<Record<KnownScope, string>>> = {
  "applications.commands": "Slash commands and context menus",
  identify: "Who the person is",
  email: "Their e-mail address",
  guilds: "The servers they are in",
  "guilds.join": "Join servers for them",
  "guilds.members.read": "Their nickname and roles in a server",
  connections: "Their linked accounts elsewhere",
  "role_connections.write": "Linked roles",
  "webhook.incoming": "A webhook in a channel of their choice",
  openid: "A signed proof of who they are",
};

/** More than any link that works anywhere. */
const longest = 4000;

function scopesOf({ installation, scopes }: Invite): readonly string[] {
  if (installation !== "user") return ["bot", ...scopes];
  // An installation for a person is made of commands: without this scope the platform ignores where to install.
  return [...new Set(["applications.commands", ...scopes])];
}

/** The part of a link that holds the invitation, which is the fragment in a link to this page. */
function queryOf(text: string): string {
  const start = /(?:^|[?#])(?=[^?#]*\b(?:client_id|permissions|scope)=)/.exec(text);
  if (!start) return "";
  const query = text.slice(start.index + start[0].length);
  return start[0] === "?" ? query.replace(/#.*/s, "") : query;
}

function readPermissions(text: string): bigint {
  const words = text.split(/[\s,|]+/).filter(Boolean).map((word) => word.toLowerCase());
  const value = new Permissions(words.map(decimal)).value;
  if (value >= 1n << 256n) throw TypeError("A permission value has at most 256 bits");
  return value;
}

/** The library reads decimals and names, and says what is wrong with the rest. */
function decimal(word: string): `${bigint}` {
  return (/^0x[\da-f]+$/.test(word) ? String(BigInt(word)) : word) as `${bigint}`;
}

async function problem(attempt: () => string | Promise<string>): Promise<string | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sameInvite(one: Invite, other: Invite): boolean {
  const scopes = (invite: Invite) => invite.scopes.join(" ");
  return scopes(one) === scopes(other) &&
    (Object.keys(one) as (keyof Invite)[])
      .every((field) => field === "scopes" || one[field] === other[field]);
}
