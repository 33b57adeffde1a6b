/**
 * The names of flags: of a user, where some are badges, and of a member of a guild. This module never uses the network.
 *
 * @example
 * ```ts
 * import { userFlags } from "@guildpass/sdk/flags";
 *
 * userFlags(4_194_368);
 * // ["hypesquad_online_house_1", "active_developer"]
 * userFlags(0).includes("staff"); // false
 * ```
 *
 * @module
 */

import { throwBadNumber } from "./core/arguments.ts";

/**
 * The name of a flag of a user, as Discord documents it, in lowercase. `active_developer` is no longer documented, and `spammer`
 * and `provisional_account` never were, but Discord still sends them.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#user-object-user-flags | Discord: User flags}
 */
export type UserFlag =
  | "staff"
  | "partner"
  | "hypesquad"
  | "bug_hunter_level_1"
  | "hypesquad_online_house_1"
  | "hypesquad_online_house_2"
  | "hypesquad_online_house_3"
  | "premium_early_supporter"
  | "team_pseudo_user"
  | "bug_hunter_level_2"
  | "verified_bot"
  | "verified_developer"
  | "certified_moderator"
  | "bot_http_interactions"
  | "spammer"
  | "active_developer"
  | "provisional_account";

/**
 * The name of a flag of a member, as Discord documents it, in lowercase.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#guild-member-object-guild-member-flags | Discord: Guild member flags}
 */
export type MemberFlag =
  | "did_rejoin"
  | "completed_onboarding"
  | "bypasses_verification"
  | "started_onboarding"
  | "is_guest"
  | "started_home_actions"
  | "completed_home_actions"
  | "automod_quarantined_username"
  | "dm_settings_upsell_acknowledged"
  | "automod_quarantined_guild_tag";

/** A value with flags, as in a response: a number or a decimal string. */
export type FlagsValue = number | bigint | string;

/**
 * Returns the names of a user's flags, lowest bit first. It omits bits without a name.
 *
 * @param flags The `public_flags` of a user; with `null`, the list is empty.
 * @throws {TypeError} If `flags` is neither a whole number nor a decimal string.
 */
export function userFlags(flags: FlagsValue | null | undefined): UserFlag[] {
  return namesOfBits(userBits, flags);
}

/**
 * Returns the names of a member's flags, lowest bit first. It omits bits without a name.
 *
 * @param flags The `flags` of a member; with `null`, the list is empty.
 * @throws {TypeError} If `flags` is neither a whole number nor a decimal string.
 */
export function memberFlags(flags: FlagsValue | null | undefined): MemberFlag[] {
  return namesOfBits(memberBits, flags);
}

/** The bit of each flag of a user. */
const userBits: Readonly<Record<UserFlag, number>> = {
  staff: 0,
  partner: 1,
  hypesquad: 2,
  bug_hunter_level_1: 3,
  hypesquad_online_house_1: 6,
  hypesquad_online_house_2: 7,
  hypesquad_online_house_3: 8,
  premium_early_supporter: 9,
  team_pseudo_user: 10,
  bug_hunter_level_2: 14,
  verified_bot: 16,
  verified_developer: 17,
  certified_moderator: 18,
  bot_http_interactions: 19,
  spammer: 20,
  active_developer: 22,
  provisional_account: 23,
};

/** The bit of each flag of a member. */
const memberBits: Readonly<Record<MemberFlag, number>> = {
  did_rejoin: 0,
  completed_onboarding: 1,
  bypasses_verification: 2,
  started_onboarding: 3,
  is_guest: 4,
  started_home_actions: 5,
  completed_home_actions: 6,
  automod_quarantined_username: 7,
  dm_settings_upsell_acknowledged: 9,
  automod_quarantined_guild_tag: 10,
};

function namesOfBits<Name extends string>(
  bits: Readonly<Record<Name, number>>,
  flags: FlagsValue | null | undefined,
): Name[] {
  if (flags == null) return [];
  const isDecimal = typeof flags === "string" ? /^\d+$/.test(flags) : isWhole(flags) && flags >= 0;
  if (!isDecimal) throwBadNumber("flags", "a whole number or a decimal string", flags);
  const value = BigInt(flags);
  return (Object.keys(bits) as Name[]).filter((name) => value >> BigInt(bits[name]) & 1n);
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}
