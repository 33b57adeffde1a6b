/**
 * Somebody who is to become a member of a guild: from arguments to what the platform takes.
 *
 * @module
 */

import {
  checkBoolean,
  checkSnowflake,
  checkText,
  refuse,
  refuseObject,
} from "../core/arguments.ts";
import type { TokenObj } from "../resources/token.ts";
import { isBotToken, type KnownToken, readToken, requireScope } from "./access_token.ts";

/** Somebody who is to become a member of a guild. */
export interface NewMemberParams {
  /**
   * That person's access token, which was granted `guilds.join`, or the whole answer that it came in.
   *
   * It must belong to the application whose bot adds them.
   */
  readonly accessToken: string | TokenObj<"guilds.join">;
  /** The name in this guild, up to 32 characters. The bot needs the permission `manage_nicknames`. */
  readonly nick?: string | null | undefined;
  /** Ids of roles, up to 250. The bot needs the permission `manage_roles`. */
  readonly roles?: readonly string[] | null | undefined;
  /** Whether nobody can hear the member in voice channels. The bot needs the permission `mute_members`. */
  readonly mute?: boolean | null | undefined;
  /** Whether the member can't hear anybody in voice channels. The bot needs the permission `deafen_members`. */
  readonly deaf?: boolean | null | undefined;
}

/** What the platform takes for a new member. */
export interface NewMemberBody {
  readonly access_token: string;
  readonly nick?: string;
  readonly roles?: readonly string[];
  readonly mute?: boolean;
  readonly deaf?: boolean;
  readonly [name: string]: unknown;
}

const mostRoles = 250;

/**
 * Turns a new member into what the platform takes.
 *
 * @param operation The method that was called, for errors.
 * @throws {TypeError} When a field is of another kind, with its name. The token is never shown.
 * @throws {RangeError} When `nick` is too long, or there are too many roles.
 * @throws {MissingScopeError} When the token is known not to have the scope `guilds.join`.
 */
export function newMemberBody(operation: string, member: NewMemberParams): NewMemberBody {
  if (typeof member !== "object" || member === null) {
    refuseObject("member", "an object, as in { accessToken }", member);
  }
  const { nick, roles, mute, deaf } = member;
  const known = readPersonsToken(member.accessToken);
  if (nick != null) checkText("nick", nick, { longest: 32 });
  if (roles != null) checkRoles(roles);
  if (mute != null) checkBoolean("mute", mute);
  if (deaf != null) checkBoolean("deaf", deaf);
  requireScope(known, operation, "guilds.join");
  return {
    access_token: known.token,
    ...(nick != null && { nick }),
    // A copy, as the request may be sent later.
    ...(roles != null && { roles: [...roles] }),
    ...(mute != null && { mute }),
    ...(deaf != null && { deaf }),
  };
}

function readPersonsToken(accessToken: string | TokenObj): KnownToken {
  const known = readToken(accessToken, "Bearer");
  if (isBotToken(known.token)) {
    throw new TypeError(
      "accessToken has the form of a bot token: pass the token of the person who is to join",
    );
  }
  return known;
}

function checkRoles(roles: readonly string[]): void {
  if (!Array.isArray(roles)) refuse("roles", "a list", roles);
  roles.forEach((role, index) => checkSnowflake(`roles[${index}]`, role));
  if (roles.length > mostRoles) {
    throw new RangeError(`roles must have at most ${mostRoles} entries, received ${roles.length}`);
  }
}
