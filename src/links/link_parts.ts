/**
 * What authorization links and invitation links have in common.
 *
 * @module
 */

import { checkBoolean, checkSnowflake, throwBadArgument } from "../core/arguments.ts";

/** What belongs to one invitation, in the links of `Bot` and of `AuthUrl`; their constructors take what belongs to the application. */
export interface BotUrlParams {
  /** The guild that is selected on the page, for links with the `bot` scope. */
  readonly guildId?: string | null | undefined;
  /** Whether the selected guild can't be changed. */
  readonly disableGuildSelect?: boolean | null | undefined;
  /** Where the application is installed: `0` in a guild, `1` for the user, which goes without the `bot` scope only. */
  readonly integrationType?: 0 | 1 | null | undefined;
}

/** The start of a link, up to its first parameter. RFC 6749 section 3.1 keeps a query that the authorize page has. */
export function linkStart(authorizeUrl: string): string {
  return authorizeUrl + (authorizeUrl.includes("?") ? "&" : "?");
}

/**
 * The parameters of an installation, in the documented order.
 *
 * @param permissions The value of the permissions, or `undefined` for none.
 */
export function installation(
  { guildId, disableGuildSelect, integrationType }: BotUrlParams,
  permissions: bigint | undefined,
): string {
  if (guildId != null) checkSnowflake("guildId", guildId);
  if (disableGuildSelect != null) checkBoolean("disableGuildSelect", disableGuildSelect);
  if (integrationType != null && integrationType !== 0 && integrationType !== 1) {
    throwBadArgument("integrationType", "0 or 1", integrationType);
  }
  return parameter("integration_type", integrationType) +
    parameter("permissions", permissions) +
    parameter("guild_id", guildId) +
    parameter("disable_guild_select", disableGuildSelect);
}

/** Omits `null` and `undefined`, keeps `0` and `false`. Spaces become `%20`, never `+`. */
export function parameter(
  name: string,
  value: string | number | bigint | boolean | null | undefined,
): string {
  return value == null ? "" : `&${name}=${encodeURIComponent(String(value))}`;
}
