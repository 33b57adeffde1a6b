/**
 * Describes the guild member object of the API.
 *
 * @module
 */

import type { Fields } from "../schema.ts";
import { boolean, integer, listOf, nullable, objectOf, string, withDefault } from "../schema.ts";
import type { CollectiblesPayload, UserPayload } from "./user.ts";
import { avatarDecorationFields, collectiblesFields } from "./user.ts";

/** A guild member, as `GET /users/@me/guilds/{id}/member` returns it. */
export interface MemberPayload {
  /** The hash of the member's avatar in this guild. */
  readonly avatar: string | null;
  /** The hash of the member's banner in this guild. */
  readonly banner: string | null;
  /** The end of the member's timeout, as an ISO 8601 time. */
  readonly communication_disabled_until: string | null;
  /** The member's flags. */
  readonly flags: number;
  /** The time at which the member joined, as an ISO 8601 time. */
  readonly joined_at: string;
  /** The nickname in this guild. */
  readonly nick: string | null;
  /** True if the member has not passed membership screening yet. */
  readonly pending: boolean;
  /** The time at which the member began to boost the guild, in ISO 8601. */
  readonly premium_since: string | null;
  /** The ids of the member's roles. */
  readonly roles: readonly string[];
  /** The user. */
  readonly user: UserPayload;
  /** True if the member is muted in voice channels. */
  readonly mute: boolean;
  /** True if the member is deafened in voice channels. */
  readonly deaf: boolean;
  /** The avatar decoration in this guild. */
  readonly avatar_decoration_data: UserPayload["avatar_decoration_data"];
  /** The collectibles in this guild. */
  readonly collectibles: CollectiblesPayload | null;
}

/** Returns the fields of a member, with their checks and default values. */
export function memberFields(): Fields<Omit<MemberPayload, "user">> {
  return {
    avatar: withDefault(nullable(string), null),
    banner: withDefault(nullable(string), null),
    communication_disabled_until: withDefault(nullable(string), null),
    flags: withDefault(integer, 0),
    joined_at: withDefault(string, defaultJoinTime),
    nick: withDefault(nullable(string), null),
    pending: withDefault(boolean, false),
    premium_since: withDefault(nullable(string), null),
    roles: withDefault(listOf(string), []),
    mute: withDefault(boolean, false),
    deaf: withDefault(boolean, false),
    avatar_decoration_data: withDefault(nullable(objectOf(avatarDecorationFields())), null),
    collectibles: withDefault(nullable(objectOf(collectiblesFields())), null),
  };
}

const defaultJoinTime = "2024-01-01T00:00:00.000000+00:00";
