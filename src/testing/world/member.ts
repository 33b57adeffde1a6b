/**
 * Describes the members of a guild, and builds them from options.
 *
 * @module
 */

import type { GuildPayload } from "./payloads/guild.ts";
import { memberFields, type MemberPayload } from "./payloads/member.ts";
import { allPermissions, everyonePermissions } from "./permissions.ts";
import * as f from "./schema.ts";
import { applyDefaults, type FakeFields, type Fields } from "./schema.ts";
import type { User } from "./user.ts";

/** A user's membership in a guild. `roles` may contain ids that are not in the guild's `roles`. */
export interface FakeMember extends FakeFields<Omit<MemberPayload, "user">> {
  /**
   * The user's permissions in the guild, as a decimal string. The fake platform returns them unchanged, whatever the roles are.
   * @default all permissions for the owner; for other members, the permissions of `@everyone` in a new guild
   */
  readonly permissions?: string | undefined;
  /**
   * True if the user owns the guild.
   * @default true for the user in `owner_id` of the guild
   */
  readonly owner?: boolean | undefined;
}

export interface Member {
  readonly permissions: string;
  readonly owner: boolean;
  readonly user: User;
  readonly payload: Omit<MemberPayload, "user">;
}

export function fakeMemberFields(): Fields<FakeMember> {
  return {
    ...memberFields(),
    permissions: f.optional(f.permissions),
    owner: f.optional(f.boolean),
  };
}

export function buildMember(options: FakeMember, user: User, guild: GuildPayload): Member {
  const {
    owner = guild.owner_id === user.payload.id,
    permissions = owner ? allPermissions : everyonePermissions,
    ...fields
  } = options;
  return { permissions, owner, user, payload: applyDefaults(memberFields(), fields) };
}
