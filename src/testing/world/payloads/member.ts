/**
 * Describes the guild member object of the API.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";
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
  /** The time when the member joined, as an ISO 8601 time. */
  readonly joined_at: string;
  /** The nickname in this guild. */
  readonly nick: string | null;
  /** True if the member has not passed membership screening yet. */
  readonly pending: boolean;
  /** The time when the member began to boost the guild, in ISO 8601. */
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
    avatar: f.withDefault(f.nullable(f.string), null),
    banner: f.withDefault(f.nullable(f.string), null),
    communication_disabled_until: f.withDefault(f.nullable(f.string), null),
    flags: f.withDefault(f.integer, 0),
    joined_at: f.withDefault(f.string, defaultJoinTime),
    nick: f.withDefault(f.nullable(f.string), null),
    pending: f.withDefault(f.boolean, false),
    premium_since: f.withDefault(f.nullable(f.string), null),
    roles: f.withDefault(f.listOf(f.string), []),
    mute: f.withDefault(f.boolean, false),
    deaf: f.withDefault(f.boolean, false),
    avatar_decoration_data: f.withDefault(f.nullable(f.objectOf(avatarDecorationFields())), null),
    collectibles: f.withDefault(f.nullable(f.objectOf(collectiblesFields())), null),
  };
}

const defaultJoinTime = "2024-01-01T00:00:00.000000+00:00";
