/**
 * One invitation, which the page edits: reads it from a link or an address, writes it to an address, and makes its link.
 *
 * Text from the person or the address stays as it is. The library checks it, and `problems.ts` has the error texts.
 *
 * @module
 */

import { AuthUrl, Bot, installUrl, type Platform } from "../../src/links/mod.ts";
import { permissionInfo } from "../../src/permissions/permission_info.ts";
import { type PermissionName, Permissions } from "../../src/permissions/permissions.ts";
import type { KnownScope } from "../../src/links/scopes.ts";
import { type CheckedField, maxLength, UnreadableError } from "./problems.ts";

/** The kind of installation: the default of the application, in a server, or for a person. */
export type Installation = "default" | "server" | "user";

/** Everything that a person can set in the page. */
export interface Invite {
  readonly clientId: string;
  readonly permissions: bigint;
  /** The scopes other than `bot`. */
  readonly scopes: readonly string[];
  readonly installation: Installation;
  readonly guildId: string;
  readonly lockGuild: boolean;
  readonly redirectUri: string;
}

/** The invitation at the start: slash commands and no permissions. */
export const emptyInvite: Invite = {
  clientId: "",
  permissions: 0n,
  scopes: ["applications.commands"],
  installation: "default",
  guildId: "",
  lockGuild: false,
  redirectUri: "",
};

/**
 * Makes the link of an invitation.
 *
 * @param platform The platform of the authorize page. Discord by default.
 * @throws {TypeError} If the library refuses an argument, with its name.
 */
export async function inviteLink(invite: Invite, platform?: Platform): Promise<string> {
  const { clientId, permissions, redirectUri } = invite;
  const forUser = invite.installation === "user";
  const params = forUser ? { integrationType: 1 } as const : {
    guildId: invite.guildId || undefined,
    disableGuildSelect: invite.guildId && invite.lockGuild ? true : undefined,
    integrationType: invite.installation === "server" ? 0 : undefined,
  } as const;
  if (needsRedirect(invite)) {
    const value = forUser ? undefined : permissions;
    return await new AuthUrl(clientId, requestedScopes(invite), redirectUri, value, { platform })
      .makeUrl(params);
  }
  if (forUser) return installUrl(clientId, { integrationType: 1, platform });
  return await new Bot(clientId, permissions, { scope: requestedScopes(invite), platform }).url(
    params,
  );
}

/** Finds the fields that are not empty and that the library refuses. */
export async function findWrongFields(invite: Invite): Promise<ReadonlySet<CheckedField>> {
  const { clientId, scopes, guildId, redirectUri } = invite;
  const attempts: Readonly<Record<CheckedField, () => unknown>> = {
    clientId: () => clientId && new Bot(clientId),
    scopes: () => new Bot("0", null, { scope: scopes }),
    guildId: () => guildId && new Bot("0").url({ guildId }),
    redirectUri: () =>
      redirectUri && needsRedirect(invite) && new AuthUrl("0", ["bot"], redirectUri).makeUrl(),
  };
  const refused = await Promise.all(
    (Object.keys(attempts) as CheckedField[]).map(async (field) =>
      await isRefused(attempts[field]) ? [field] : []
    ),
  );
  return new Set(refused.flat());
}

/** Returns true if a scope needs a code, and therefore a redirect URI: every scope except those of a plain invitation. */
export function needsRedirect({ scopes }: Pick<Invite, "scopes">): boolean {
  return scopes.some((scope) => scope !== "applications.commands");
}

/** Writes the invitation as the fragment of an address, with the parameter names of the authorize link. */
export function toFragment(invite: Invite): string {
  if (isSameInvite(invite, emptyInvite)) return "";
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
 * Reads an invitation from a fragment, a query or a whole link.
 *
 * @throws {UnreadableError} If its permissions can't be read.
 */
export function readInvite(text: string): Invite {
  const query = new URLSearchParams(parametersOf(text.slice(0, maxLength)));
  const word = (name: string, most = 100): string => (query.get(name) ?? "").trim().slice(0, most);
  const scopes = query.get("scope")?.split(/[\s,]+/).filter((scope) => scope && scope !== "bot");
  const integrationType = word("integration_type");
  return {
    clientId: word("client_id"),
    permissions: readLinkPermissions(word("permissions", maxLength) || "0"),
    scopes: scopes ? [...new Set(scopes)] : emptyInvite.scopes,
    installation: integrationType === "0" ? "server" : integrationType === "1" ? "user" : "default",
    guildId: word("guild_id"),
    lockGuild: word("disable_guild_select") === "true",
    redirectUri: word("redirect_uri", 2000),
  };
}

/**
 * Reads pasted text. An invite link replaces the whole invitation. A login link, a link with a client id alone, or an id replace only the
 * client id. A decimal or hexadecimal value, or names or labels of permissions, replace only the permissions.
 *
 * @throws {UnreadableError} If the text is none of these.
 */
export function readPaste(pasted: string, invite: Invite): Invite {
  const text = pasted.trim();
  if (text === "") throw new UnreadableError("nothing");
  if (text.length > maxLength) throw new UnreadableError("tooLong");
  // No permissions value is as long as an id.
  if (/^\d{17,20}$/.test(text)) return { ...invite, clientId: text };
  if (/\b(?:client_id|permissions)=/.test(text)) {
    const read = readInvite(text);
    return isInvitation(text) ? read : { ...invite, clientId: read.clientId };
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) {
    throw new UnreadableError("noInvite");
  }
  return { ...invite, permissions: readPermissions(text) };
}

/** The scopes in the list with their descriptions. All but the first need a redirect URI. */
export const scopeDescriptions: Readonly<Partial<Record<KnownScope, string>>> = {
  "applications.commands": "Slash commands and context menus",
  identify: "Who the person is",
  email: "Their email address",
  guilds: "The servers they are in",
  "guilds.join": "Join servers for them",
  "guilds.members.read": "Their nickname and roles in a server",
  connections: "Their linked accounts elsewhere",
  "role_connections.write": "Linked roles",
  "webhook.incoming": "A webhook in a channel of their choice",
  openid: "A signed proof of who they are",
};

function requestedScopes({ installation, scopes }: Invite): readonly string[] {
  if (installation !== "user") return ["bot", ...scopes];
  // Without this scope, the platform ignores that the installation is for a person.
  return [...new Set(["applications.commands", ...scopes])];
}

/** Returns true if a link adds an application to a server or for a person. Others log people in, or name an application. */
function isInvitation(link: string): boolean {
  const query = new URLSearchParams(parametersOf(link));
  const scopes = query.get("scope")?.split(/[\s,]+/) ?? [];
  return ["permissions", "guild_id", "integration_type"].some((name) => query.has(name)) ||
    scopes.includes("bot") || scopes.includes("applications.commands");
}

/** Returns the parameters of a link: its query, or its fragment in a link to this page. */
function parametersOf(text: string): string {
  const start = /(?:^|[?#])(?=[^?#]*\b(?:client_id|permissions|scope|guild_id)=)/.exec(text);
  if (!start) return "";
  const query = text.slice(start.index + start[0].length);
  return start[0] === "?" ? query.replace(/#.*/s, "") : query;
}

function readLinkPermissions(text: string): bigint {
  try {
    return readPermissions(text);
  } catch {
    throw new UnreadableError("linkPermissions");
  }
}

function readPermissions(text: string): bigint {
  const words = withoutSpacesInNames(text).replace(/\b\w+(?:\.flags)?\.(?=\w)/gi, "")
    .split(/[\s,|"'`[\]();]+/).filter(Boolean);
  const permissions = new Permissions();
  for (const word of words) {
    try {
      permissions.add(decimal(word));
    } catch {
      throw new UnreadableError("unknownPermission", word);
    }
  }
  if (permissions.value >= 1n << 256n) throw new UnreadableError("tooManyBits");
  return permissions.value;
}

/** Replaces the labels of permissions, and names with spaces in place of underscores, by the names. */
function withoutSpacesInNames(text: string): string {
  const nameOf = new Map((Object.keys(permissionInfo) as PermissionName[]).flatMap((name) => [
    [name.replaceAll("_", " "), name],
    [permissionInfo[name].label.toLowerCase(), name],
  ]));
  // The longest first, since "send messages" is also the beginning of "send messages in threads".
  const longestFirst = [...nameOf.keys()].sort((one, other) => other.length - one.length);
  const pattern = longestFirst.join("|").replaceAll(" ", "\\s+");
  return text.replace(
    new RegExp(`(?<![\\w.])(?:${pattern})(?!\\w)`, "gi"),
    (words) => nameOf.get(words.toLowerCase().replace(/\s+/g, " ")) ?? words,
  );
}

/** Turns a hexadecimal number into a decimal one, since the library reads only decimals and names. */
function decimal(word: string): `${bigint}` {
  return (/^0x[\da-f]+$/i.test(word) ? String(BigInt(word)) : word) as `${bigint}`;
}

async function isRefused(attempt: () => unknown): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch {
    return true;
  }
}

function isSameInvite(one: Invite, other: Invite): boolean {
  const scopes = (invite: Invite) => invite.scopes.join(" ");
  return scopes(one) === scopes(other) &&
    (Object.keys(one) as (keyof Invite)[])
      .every((field) => field === "scopes" || one[field] === other[field]);
}
