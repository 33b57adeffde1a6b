/**
 * Permission sets: the number after `permissions=` in an invitation link, and the decimal string in a guild.
 *
 * This module never uses the network.
 *
 * @example
 * ```ts
 * import { Permissions } from "@guildpass/sdk/permissions";
 *
 * const permissions = new Permissions(["view_channel", "send_messages"])
 *   .add("embed_links");
 * permissions.has("send_messages"); // true
 * permissions.remove("view_channel").toString(); // "18432"
 * ```
 *
 * @module
 */

import { flags, namesOf, type PermissionName } from "./names.ts";
import { type PermissionInput, permissionValue } from "./permission_input.ts";

export { permissionNames } from "./names.ts";
export type { FormerPermissionName, PermissionName } from "./names.ts";
export type { PermissionInput, PermissionLike, PermissionSwitches } from "./permission_input.ts";

/** The name of a preset in {@link Permissions.presets}. */
export type PresetName =
  | "general"
  | "allChannel"
  | "membership"
  | "text"
  | "voice"
  | "stage"
  | "stageModerator"
  | "elevated"
  | "advanced";

// Pages load these values, which are smaller than lists of names. The tests compare each value with its names.
const presets: Readonly<Record<PresetName, bigint>> = /* @__PURE__ */ Object.freeze({
  general: 0x700804b0n,
  allChannel: 0x53db3f7df51n,
  membership: 0x1000c000007n,
  text: 0x41388007f840n,
  voice: 0x248002f00300n,
  stage: 0x100000000n,
  stageModerator: 0x1400010n,
  elevated: 0x1045000203en,
  advanced: 8n,
});

/**
 * A permission set. Its value is a `bigint`, and bits without a name are kept.
 *
 * Every method that changes the set returns the set, so calls chain. A preset such as `text()` replaces the set; to add one, use
 * `add(Permissions.presets.text)`. Its list is fixed, so newer permissions are not in it. For an unknown name, a value of a wrong type, a negative,
 * fractional or unsafe number, or a second argument, every method throws a `TypeError` and leaves the set unchanged.
 *
 * @example
 * ```ts
 * import { Permissions } from "@guildpass/sdk/permissions";
 *
 * const moderator = new Permissions(["kick_members"])
 *   .add(Permissions.presets.stageModerator);
 * moderator.has("move_members"); // true
 * moderator.value; // 20971538n
 *
 * // A preset replaces the set:
 * moderator.stage().toArray(); // ["request_to_speak"]
 * ```
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions | Discord: Permissions}
 */
export class Permissions implements Iterable<PermissionName> {
  /** The bit of every named permission, lowest first. Frozen. */
  static get flags(): Readonly<Record<PermissionName, bigint>> {
    return flags();
  }

  /** The value of every preset, ready for {@link Permissions.add}. Frozen. */
  static readonly presets: Readonly<Record<PresetName, bigint>> = presets;

  #value: bigint;

  /**
   * Creates a permission set.
   *
   * @param permissions The permissions of the new set. The compiler accepts any text, since other libraries type a value, such as the
   * `permissions` of a guild, as `string`. @default {none}
   * @throws {TypeError} If an input is not a {@link PermissionInput}.
   */
  constructor(permissions?: PermissionInput | (string & Record<never, never>) | null) {
    this.#value = onlyValue(permissions ?? 0n, arguments);
  }

  /** The value of the set, including bits without a name. */
  get value(): bigint {
    return this.#value;
  }

  /**
   * Replaces the set with the given permissions. A dictionary such as `{ speak: false }`, or a `Map`, changes only the
   * permissions that it names.
   *
   * @param permissions A name, a list of names, a value or another set.
   *
   * @example
   * ```ts
   * import { Permissions } from "@guildpass/sdk/permissions";
   *
   * const set = new Permissions(["stream", "speak"]);
   * set.update({ speak: false }).toArray(); // ["stream"]
   * set.update(["connect"]).toArray(); // ["connect"]
   * ```
   */
  update(permissions: PermissionInput): this {
    this.#value = onlyValue(permissions, arguments, this.#value);
    return this;
  }

  /**
   * Adds permissions to this set.
   *
   * @param permissions A name, a list of names, a value or another set.
   *
   * @example
   * ```ts
   * import { Permissions } from "@guildpass/sdk/permissions";
   *
   * new Permissions("stream").add("speak").toArray(); // ["stream", "speak"]
   * ```
   */
  add(permissions: PermissionInput): this {
    this.#value |= onlyValue(permissions, arguments);
    return this;
  }

  /**
   * Removes permissions from this set.
   *
   * @param permissions A name, a list of names, a value or another set.
   *
   * @example
   * ```ts
   * import { Permissions } from "@guildpass/sdk/permissions";
   *
   * const set = new Permissions(["stream", "speak"]);
   * set.remove("stream").toArray(); // ["speak"]
   * ```
   */
  remove(permissions: PermissionInput): this {
    this.#value &= ~onlyValue(permissions, arguments);
    return this;
  }

  /** Adds every permission that has a name. */
  all(): this {
    return this.add(namesOf(-1n));
  }

  /** Removes every permission, including bits without a name. */
  none(): this {
    return this.update(0n);
  }

  /**
   * Replaces the set with the `general` preset: viewing and managing the server, its roles, channels and webhooks.
   *
   * `manage_channels`, `manage_guild`, `view_audit_log`, `view_channel`, `view_guild_insights`, `manage_roles`, `manage_webhooks`,
   * `manage_guild_expressions`.
   */
  general(): this {
    return this.update(presets.general);
  }

  /**
   * Replaces the set with the `allChannel` preset: most permissions that a channel can grant or deny, but not newer ones.
   *
   * `create_instant_invite`, `manage_channels`, `add_reactions`, `priority_speaker`, `stream`, `view_channel`, `send_messages`,
   * `send_tts_messages`, `embed_links`, `attach_files`, `read_message_history`, `mention_everyone`, `use_external_emojis`, `connect`,
   * `speak`, `mute_members`, `deafen_members`, `move_members`, `use_vad`, `manage_roles`, `manage_webhooks`, `use_application_commands`,
   * `request_to_speak`, `manage_threads`, `create_public_threads`, `create_private_threads`, `use_external_sticker`, `moderate_members`,
   * `use_soundboard`. For the channels of every permission, see `permissionInfo` of `@guildpass/sdk/permission-info`.
   */
  allChannel(): this {
    return this.update(presets.allChannel);
  }

  /**
   * Replaces the set with the `membership` preset: inviting, kicking, banning, naming and timing out members.
   *
   * `create_instant_invite`, `kick_members`, `ban_members`, `change_nickname`, `manage_nicknames`, `moderate_members`.
   */
  membership(): this {
    return this.update(presets.membership);
  }

  /**
   * Replaces the set with the `text` preset: writing and moderating in text channels, but not in threads.
   *
   * `add_reactions`, `send_messages`, `send_tts_messages`, `manage_messages`, `embed_links`, `attach_files`, `read_message_history`,
   * `mention_everyone`, `use_external_emojis`, `use_application_commands`, `create_public_threads`, `create_private_threads`,
   * `use_external_sticker`, `moderate_members`, `send_voice_messages`.
   */
  text(): this {
    return this.update(presets.text);
  }

  /**
   * Replaces the set with the `voice` preset: speaking, muting and deafening in voice channels.
   *
   * `priority_speaker`, `stream`, `connect`, `speak`, `mute_members`, `deafen_members`, `use_vad`, `use_embedded_activities`,
   * `use_soundboard`, `use_external_sounds`.
   */
  voice(): this {
    return this.update(presets.voice);
  }

  /** Replaces the set with the `stage` preset: `request_to_speak`, asking to speak. */
  stage(): this {
    return this.update(presets.stage);
  }

  /**
   * Replaces the set with the `stageModerator` preset: managing a stage and its speakers.
   *
   * `manage_channels`, `mute_members`, `move_members`.
   */
  stageModerator(): this {
    return this.update(presets.stageModerator);
  }

  /**
   * Replaces the set with the `elevated` preset: most permissions that need two-factor authentication, but not newer ones.
   *
   * `kick_members`, `ban_members`, `administrator`, `manage_channels`, `manage_guild`, `manage_messages`, `manage_roles`,
   * `manage_guild_expressions`, `manage_threads`, `moderate_members`.
   *
   * `permissionInfo` of `@guildpass/sdk/permission-info` marks every elevated permission.
   */
  elevated(): this {
    return this.update(presets.elevated);
  }

  /** Replaces the set with the `advanced` preset: `administrator`. */
  advanced(): this {
    return this.update(presets.advanced);
  }

  /**
   * Returns true if the set has all the given permissions. `administrator` is one bit and does not include the others. To treat it as
   * all permissions, use `missingPermissions` of `@guildpass/sdk/guilds`.
   *
   * @param permissions A name, a list of names, a value or another set.
   */
  has(permissions: PermissionInput): boolean {
    return !(onlyValue(permissions, arguments) & ~this.#value);
  }

  /**
   * Returns the names of the given permissions that are not in the set, lowest bit first. Compares bits, like {@link Permissions.has}.
   *
   * @param permissions A name, a list of names, a value or another set.
   */
  missing(permissions: PermissionInput): PermissionName[] {
    return namesOf(onlyValue(permissions, arguments) & ~this.#value);
  }

  /**
   * Returns true if the set is equal to the given permissions, including bits without a name.
   *
   * @param permissions A name, a list of names, a value or another set.
   */
  equals(permissions: PermissionInput): boolean {
    return onlyValue(permissions, arguments) === this.#value;
  }

  /** Returns the names in the set, lowest bit first. It omits bits without a name; {@link Permissions.value} has them. */
  toArray(): PermissionName[] {
    return namesOf(this.#value);
  }

  /** Iterates over {@link Permissions.toArray}. */
  [Symbol.iterator](): Iterator<PermissionName> {
    return namesOf(this.#value)[Symbol.iterator]();
  }

  /** Returns the value as a decimal string, as Discord does. */
  toString(): string {
    return String(this.#value);
  }

  /** Returns the same text as {@link Permissions.toString}, for `JSON.stringify`. */
  toJSON(): string {
    return String(this.#value);
  }
}

/** Returns the value of the only argument. JavaScript would ignore the second one: `has("connect", "speak")` would be `has("connect")`. */
function onlyValue(
  permissions: PermissionInput | string,
  args: IArguments,
  value?: bigint,
): bigint {
  if (1 in args) throw new TypeError('permissions must be a list like ["speak"]');
  return permissionValue(permissions, value);
}
