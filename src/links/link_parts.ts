/**
 * Builds the shared parts of authorization links and invitation links.
 *
 * @module
 */

import { checkBoolean, checkSnowflake, isName, throwBadArgument } from "../core/arguments.ts";
import { differenceOf } from "../core/did_you_mean.ts";
import { type PermissionInput, permissionValue } from "../permissions/permission_input.ts";
import {
  checkedUrl,
  checkEncrypted,
  discordAuthorizeUrl,
  type Platform,
  readPlatform,
} from "./platform.ts";

/** The parameters of one invitation. The constructors of `Bot` and `AuthUrl` take those of the application. */
export interface BotUrlParams {
  /** The preselected guild, for links with the `bot` scope. */
  readonly guildId?: string | null | undefined;
  /** True to prevent the user from selecting another guild. @default {false} */
  readonly disableGuildSelect?: boolean | null | undefined;
  /**
   * The kind of installation: `0` for a guild, `1` for the user's account. A link with `1` and the `bot` scope can't add the bot, since
   * a bot needs a guild. `Bot` and `AuthUrl` build it anyway, but `installUrl` throws.
   *
   * @default {Discord's, which it does not document}
   */
  readonly integrationType?: 0 | 1 | null | undefined;
}

/**
 * Throws if an option has an unknown name. A misspelled `platform` would otherwise link to Discord. Beside a `platform`, other
 * names are ignored: a fake platform has several.
 */
export function checkLinkOptions(
  options: { readonly platform?: unknown } | null | undefined,
  known: readonly string[],
): void {
  if (!options?.platform) checkNames("options", options, known);
}

/**
 * Throws if an argument is not an object, or has an unknown name. The message has a similar known name, or all of them.
 */
export function checkNames(
  argument: string,
  given: object | null | undefined,
  known: readonly string[],
): void {
  if (typeof (given ?? {}) !== "object") {
    throwBadArgument(argument, `an object like { ${known[0]} }`, given);
  }
  for (const name in given) {
    if (!known.includes(name)) {
      const shown = isName(name) ? name : "…";
      const meant = known.find((other) => differenceOf(name, other) < name.length / 2) ??
        known.join(" or ");
      throw new TypeError(`${argument}.${shown} is unknown: did you mean ${meant}?`);
    }
  }
}

/** Returns a link up to its first parameter. A query in `authorizeUrl` is kept (RFC 6749 section 3.1). */
export function linkStart(given: Platform | string | null | undefined): string {
  const platform = readPlatform(given);
  const page = platform ? platform.authorizeUrl : discordAuthorizeUrl;
  const url = checkedUrl("platform.authorizeUrl", page);
  if (!platform?.allowInsecure) checkEncrypted("platform.authorizeUrl", url);
  return url + (url.includes("?") ? "&" : "?");
}

/** The names of {@link BotUrlParams}. */
export const botUrlParams = ["guildId", "disableGuildSelect", "integrationType"] as const;

/**
 * Builds the install parameters, in the documented order.
 *
 * @param permissions The value of the permissions, or `undefined` for none.
 */
export function installParameters(
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

/**
 * Returns the value of the permissions, or `undefined` for none.
 *
 * @throws {TypeError} If the options are in the place of the permissions.
 */
export function linkPermissions(
  permissions: PermissionInput | null | undefined,
): bigint | undefined {
  const { permissions: nested, scope, platform } = Object(permissions);
  if (nested ?? scope ?? platform) {
    throwBadArgument("permissions", "before the options", permissions);
  }
  return permissions == null ? undefined : permissionValue(permissions);
}

/** Builds one parameter. Omits `null` and `undefined`, and keeps `0` and `false`. Spaces become `%20`, never `+`. */
export function parameter(
  name: string,
  value: string | number | bigint | boolean | null | undefined,
): string {
  return value == null ? "" : `&${name}=${encodeURIComponent(`${value}`)}`;
}
