/**
 * Reads a member of a guild.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import {
  filledOrNull,
  looseObject,
  number,
  orNull,
  permissions,
  type Schema,
  snowflake,
} from "./schemas.ts";
import {
  type AvatarDecorationDataObj,
  avatarDecorationDataSchema,
  type CollectiblesObj,
  collectiblesSchema,
  type UserObj,
  userSchema,
} from "./user.ts";

/**
 * A member of a guild. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#guild-member-object | Discord: Guild member object}
 */
export interface MemberObj {
  /** The member's user. */
  readonly user: UserObj | null;
  /** The member's name in this guild. */
  readonly nick: string | null;
  /** The hash of the member's avatar in this guild. `memberAvatarUrl` builds the URL. */
  readonly avatar: string | null;
  /** The hash of the member's banner in this guild. `memberBannerUrl` builds the URL. */
  readonly banner: string | null;
  /**
   * The ids of the member's roles, each a snowflake, without `@everyone`; `null` if the roles are not known: then deny access
   * that needs a role.
   */
  readonly roles: readonly string[] | null;
  /** The time when the member joined, as an ISO 8601 time; `null` also for a guest. */
  readonly joined_at: string | null;
  /** The time when the member began to boost the guild, in ISO 8601. */
  readonly premium_since: string | null;
  /** True if the member is deafened in voice channels. */
  readonly deaf: boolean | null;
  /** True if the member is muted in voice channels. */
  readonly mute: boolean | null;
  /** The flags of the member. `memberFlags` returns their names. */
  readonly flags: number | null;
  /** True if the member has not passed the guild's membership screening yet. */
  readonly pending: boolean | null;
  /** The member's permissions, as a decimal string for `new Permissions(…)`. Few responses have this field. */
  readonly permissions: `${bigint}` | null;
  /** The time when the member's timeout ends, in ISO 8601; `null` or in the past if the member is not timed out. */
  readonly communication_disabled_until: string | null;
  /** The member's avatar decoration in this guild. `avatarDecorationUrl` builds the URL. */
  readonly avatar_decoration_data: AvatarDecorationDataObj | null;
  /** The collectibles that the member shows in this guild. */
  readonly collectibles: CollectiblesObj | null;
}

/**
 * Creates the schema of a member: the response to `GET /users/@me/guilds/{id}/member`, and to `GET` and `PUT /guilds/{id}/members/{id}`.
 *
 * @internal
 */
export function memberSchema(cdnUrl: string): Schema<MemberObj> {
  return looseObject({
    user: orNull(userSchema(cdnUrl)),
    nick: filledOrNull(),
    avatar: orNull(v.string()),
    banner: orNull(v.string()),
    roles: orNull(v.array(snowflake())),
    joined_at: orNull(v.string()),
    premium_since: orNull(v.string()),
    deaf: orNull(v.boolean()),
    mute: orNull(v.boolean()),
    flags: orNull(number()),
    pending: orNull(v.boolean()),
    permissions: orNull(permissions()),
    communication_disabled_until: orNull(v.string()),
    avatar_decoration_data: orNull(avatarDecorationDataSchema()),
    collectibles: orNull(collectiblesSchema()),
  }, "The member");
}
