/**
 * The option `members`: the guilds whose members may log in.
 *
 * @module
 */

import { checkSnowflake, throwBadArgument, throwBadNumber } from "../../core/arguments.ts";
import { checkOptionNames } from "../../core/options.ts";
import type { Scope } from "../../links/scopes.ts";
import { includesScope } from "../../resources/token.ts";
import type { MembersOptions } from "../base/options.ts";

/** A guild of the option `members`, checked and with defaults. */
export interface MemberRule {
  readonly guildId: string;
  /** A member has one of these roles; `null` if every member may log in. */
  readonly roles: readonly string[] | null;
  readonly checkedForMs: number;
}

/** The maximum number of guilds, since Discord allows about five reads of a membership in 300 seconds. */
const maxGuilds = 4;

/**
 * Checks the option `members`.
 *
 * @throws {TypeError} If it is wrong.
 */
export function checkMembers(
  given: MembersOptions | readonly MembersOptions[],
  name: string,
  { scope }: { readonly scope: readonly Scope[] },
): readonly MemberRule[] {
  if (!includesScope(scope, "guilds.members.read")) {
    throw new TypeError(`${name} needs "guilds.members.read" in the option scope`);
  }
  const rules: readonly MembersOptions[] = Array.isArray(given) ? given : [given];
  if (rules.length === 0 || rules.length > maxGuilds) {
    throwBadArgument(name, `a guild, or a list of 1 to ${maxGuilds} guilds`, given);
  }
  return rules.map((rule) => checkRule(rule, name));
}

function checkRule(rule: MembersOptions, name: string): MemberRule {
  if (typeof rule !== "object" || rule === null) {
    throwBadArgument(name, 'an object like { guildId: "1200000000000000002" }', rule);
  }
  checkOptionNames(name, rule, ["guildId", "roles", "checkedFor"]);
  const { guildId, roles = null, checkedFor } = rule;
  checkSnowflake(`${name}.guildId`, guildId);
  if (roles !== null) {
    if (!Array.isArray(roles) || roles.length === 0) {
      throwBadArgument(
        `${name}.roles`,
        "a list of role ids (omit it to allow every member)",
        roles,
      );
    }
    for (const role of roles) checkSnowflake(`${name}.roles`, role);
  }
  const seconds: unknown = checkedFor ?? 300;
  if (typeof seconds !== "number" || !(seconds >= 60 && seconds <= 3600)) {
    throwBadNumber(`${name}.checkedFor`, "60 to 3,600 seconds", seconds);
  }
  return { guildId, roles, checkedForMs: seconds * 1000 };
}
