/**
 * Converts the arguments of `addGuildMember()` to the request body.
 *
 * @module
 */

import { checkBoolean, checkSnowflake } from "../core/arguments.ts";
import type { TokenObj } from "../resources/token.ts";
import { isBotToken, readAccessToken, requireScope } from "./access_token.ts";
import { bodyOf, checked, checkObject, list, optional, text } from "./body.ts";

/** A person to add to a guild. */
export interface NewMemberParams {
  /**
   * The person's access token with the scope `guilds.join`, or the whole `TokenObj`. The token must have been
   * issued to the application of the bot.
   */
  readonly access_token: string | TokenObj<"guilds.join">;
  /** The nickname in this guild, up to 32 characters. The bot needs the permission `manage_nicknames`. */
  readonly nick?: string | null | undefined;
  /**
   * Ids of roles, up to 250. The bot needs the permission `manage_roles`. With roles, the person skips the membership screening
   * and the verification level of the guild.
   */
  readonly roles?: readonly string[] | null | undefined;
  /** True to mute the member in voice channels. The bot needs the permission `mute_members`. */
  readonly mute?: boolean | null | undefined;
  /** True to deafen the member in voice channels. The bot needs the permission `deafen_members`. */
  readonly deaf?: boolean | null | undefined;
}

/** The body of the request. */
export interface NewMemberBody {
  readonly access_token: string;
  readonly [name: string]: unknown;
}

/** The maximum length of a nickname, in characters. */
const maxNickLength = 32;

const maxRoles = 250;

/**
 * Returns the body of the request that adds a member.
 *
 * @throws {TypeError} If a field has a wrong type, or a name is unknown. The message names the field, and never shows the token.
 * @throws {RangeError} If `nick` is too long, or there are too many roles.
 * @throws {MissingScopeError} If the token is known to lack the scope `guilds.join`.
 */
export function newMemberBody(member: NewMemberParams): NewMemberBody {
  checkObject("member", member, "an object, as in { access_token }");
  const body = bodyOf("member", member, "", {
    access_token: tokenOfPerson,
    nick: optional(text(0, maxNickLength)),
    roles: optional(list(maxRoles, checked(checkSnowflake))),
    mute: optional(checked(checkBoolean)),
    deaf: optional(checked(checkBoolean)),
  });
  return { ...body, access_token: String(body.access_token) };
}

function tokenOfPerson(argument: string, given: unknown): string {
  const token = readAccessToken(given, "Bearer", argument);
  if (isBotToken(token.token)) {
    throw new TypeError(
      `${argument} has the form of a bot token: pass the token of the person who is to join`,
    );
  }
  requireScope(token, "addGuildMember()", "guilds.join");
  return token.token;
}
