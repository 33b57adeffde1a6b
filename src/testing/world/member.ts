/**
 * The members of a guild.
 *
 * @module
 */

import type { GuildPayload } from "./payloads/guild.ts";
import type { MemberPayload } from "./payloads/member.ts";
import { memberFields } from "./payloads/member.ts";
import { allPermissions, everyonePermissions } from "./permissions.ts";
import { applyDefaults, boolean, type Fields, optional, permissions } from "./schema.ts";
import type { User } from "./user.ts";

/** One user's membership of a guild. */
export interface FakeMember extends Partial<Omit<MemberPayload, "user">> {
  /**
   * The user's permissions in the guild, a decimal string, answered as given.
   * @default every permission for the owner, what a new guild gives to everyone for others
   */
  readonly permissions?: string;
  /**
   * Whether the user owns the guild.
   * @default whether `owner_id` of the guild names the user
   */
  readonly owner?: boolean;
}

export interface Member {
  readonly permissions: string;
  readonly owner: boolean;
  readonly user: User;
  readonly payload: Omit<MemberPayload, "user">;
}

export function fakeMemberFields(): Fields<FakeMember> {
  return { ...memberFields(), permissions: optional(permissions), owner: optional(boolean) };
}

/** A user's membership, with the usual values where none are given. */
export function buildMember(given: FakeMember, user: User, guild: GuildPayload): Member {
  const {
    owner = guild.owner_id === user.payload.id,
    permissions = owner ? allPermissions : everyonePermissions,
    ...fields
  } = given;
  return { permissions, owner, user, payload: applyDefaults(memberFields(), fields) };
}
