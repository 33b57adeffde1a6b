/**
 * A member of a guild.
 *
 * @module
 */

import { freeze, readAnswer, type Report } from "./reading.ts";
import {
  boolean,
  list,
  number,
  object,
  optional,
  permissions,
  snowflake,
  string,
} from "./shapes.ts";
import {
  avatarDecorationData,
  type AvatarDecorationDataObj,
  collectibles,
  type CollectiblesObj,
  user,
  type UserObj,
  type WithSentUser,
  withUserAvatarUrl,
} from "./user.ts";

/**
 * A member of a guild. A field is `null` when the platform did not send it or sent something that can't be read.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#guild-member-object | The guild member object in the platform's documentation}
 */
export interface MemberObj {
  /** The user that the member is. */
  readonly user: UserObj | null;
  /** The name in this guild. */
  readonly nick: string | null;
  /** Hash of the avatar that the member has in this guild only; `memberAvatarUrl` makes its address. */
  readonly avatar: string | null;
  /** Hash of the banner that the member has in this guild only. */
  readonly banner: string | null;
  /**
   * Ids of the roles, each a snowflake; `@everyone` is not among them. Roles decide what somebody may do: with `null` it is not known
   * which ones the member has, so whoever needs one should be refused.
   */
  readonly roles: readonly string[] | null;
  /** When the member joined, as an ISO 8601 time; `null` also for a guest. */
  readonly joined_at: string | null;
  /** Since when the member boosts the guild, as an ISO 8601 time. */
  readonly premium_since: string | null;
  /** Whether the member can't hear anybody in voice channels. */
  readonly deaf: boolean | null;
  /** Whether nobody can hear the member in voice channels. */
  readonly mute: boolean | null;
  /** Flags of the member. */
  readonly flags: number | null;
  /** Whether the member has not passed the guild's membership screening yet. */
  readonly pending: boolean | null;
  /** The member's permissions, as a decimal string for `new Permissions(…)`; the platform sends them in few answers. */
  readonly permissions: `${bigint}` | null;
  /** When the member's timeout ends, as an ISO 8601 time; `null` or in the past for a member without one. */
  readonly communication_disabled_until: string | null;
  /** The avatar decoration in this guild. */
  readonly avatar_decoration_data: AvatarDecorationDataObj | null;
  /** What the member has collected and shows in this guild. */
  readonly collectibles: CollectiblesObj | null;
}

/** The shape of a member. @internal */
export const member = object<WithSentUser<MemberObj>>({
  user: optional(user),
  nick: optional(string),
  avatar: optional(string),
  banner: optional(string),
  roles: optional(list(snowflake)),
  joined_at: optional(string),
  premium_since: optional(string),
  deaf: optional(boolean),
  mute: optional(boolean),
  flags: optional(number),
  pending: optional(boolean),
  permissions: optional(permissions),
  communication_disabled_until: optional(string),
  avatar_decoration_data: optional(avatarDecorationData),
  collectibles: optional(collectibles),
});

/**
 * Reads the answer to `GET /users/@me/guilds/{id}/member` and `PUT /guilds/{id}/members/{id}`.
 *
 * @throws {PayloadError} When it is not an object.
 */
export function toMember(payload: unknown, cdnUrl: string, report: Report): MemberObj {
  return freeze(withUserAvatarUrl(readAnswer("The member", member, payload, report), cdnUrl));
}
