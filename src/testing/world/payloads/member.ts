/**
 * A member of a guild, as on the wire.
 *
 * @module
 */

import type { Fields } from "../schema.ts";
import { boolean, integer, listOf, nullable, objectOf, string, withDefault } from "../schema.ts";
import type { CollectiblesPayload, UserPayload } from "./user.ts";
import { avatarDecorationFields, collectiblesFields } from "./user.ts";

/** What `GET /users/@me/guilds/{id}/member` answers. */
export interface MemberPayload {
  /** The member's avatar in this guild. */
  readonly avatar: string | null;
  /** The member's banner in this guild. */
  readonly banner: string | null;
  /** Until when the member is timed out, as an ISO 8601 time. */
  readonly communication_disabled_until: string | null;
  /** The member's flags. */
  readonly flags: number;
  /** When the member joined, as an ISO 8601 time. */
  readonly joined_at: string;
  /** The nickname in this guild. */
  readonly nick: string | null;
  /** Whether membership screening is not passed yet. */
  readonly pending: boolean;
  /** Since when the member boosts the guild, as an ISO 8601 time. */
  readonly premium_since: string | null;
  /** The ids of the member's roles. */
  readonly roles: readonly string[];
  /** The user. */
  readonly user: UserPayload;
  /** Whether muted in voice channels. */
  readonly mute: boolean;
  /** Whether deafened in voice channels. */
  readonly deaf: boolean;
  /** The avatar decoration in this guild. */
  readonly avatar_decoration_data: UserPayload["avatar_decoration_data"];
  /** The collectibles in this guild. */
  readonly collectibles: CollectiblesPayload | null;
}

/** What a member has when little is given. */
export function memberFields(): Fields<Omit<MemberPayload, "user">> {
  return {
    avatar: withDefault(nullable(string), null),
    banner: withDefault(nullable(string), null),
    communication_disabled_until: withDefault(nullable(string), null),
    flags: withDefault(integer, 0),
    joined_at: withDefault(string, usualJoinTime),
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

/** When a member joined, unless given. */
const usualJoinTime = "2024-01-01T00:00:00.000000+00:00";
