/**
 * From names, numbers, lists and dictionaries to the value of a permission set, and back to names.
 *
 * Apart from the class, so that a page which only builds authorization links does not ship its presets and methods.
 *
 * @module
 */

import { checkBoolean, refuse } from "../arguments.ts";
import type { PermissionInput, PermissionLike, PermissionName } from "./permissions.ts";

// One name a bit, lowest first; the platform documents no bit 47. No prototype, so that `flags["constructor"]` is
// as unknown as any other word.
/** The bit of every named permission, lowest first. */
export const flags: Readonly<Record<PermissionName, bigint>> = /* @__PURE__ */ (() => {
  const bitOf: Record<string, bigint> = Object.create(null);
  let bit = 1n;
  for (
    const name
      of ("create_instant_invite kick_members ban_members administrator manage_channels manage_guild " +
        "add_reactions view_audit_log priority_speaker stream view_channel send_messages " +
        "send_tts_messages manage_messages embed_links attach_files read_message_history " +
        "mention_everyone use_external_emojis view_guild_insights connect speak mute_members " +
        "deafen_members move_members use_vad change_nickname manage_nicknames manage_roles " +
        "manage_webhooks manage_guild_expressions use_application_commands request_to_speak " +
        "manage_events manage_threads create_public_threads create_private_threads " +
        "use_external_sticker send_messages_in_threads use_embedded_activities moderate_members " +
        "view_creator_monetization_analytics use_soundboard create_guild_expressions create_events " +
        "use_external_sounds send_voice_messages  set_voice_channel_status send_polls " +
        "use_external_apps pin_messages bypass_slowmode").split(" ")
  ) {
    if (name) bitOf[name] = bit;
    bit <<= 1n;
  }
  return Object.freeze(bitOf);
})();

/**
 * The value that an input stands for. A dictionary or a `Map` changes only what it names in `value`.
 *
 * @throws {TypeError} When the input is not a {@link PermissionInput}.
 */
export function permissionValue(input: PermissionInput, value = 0n): bigint {
  if (typeof input !== "object" || !input) return bits(input);
  // By shape, not by `instanceof`: a set made by another copy of this module is one too.
  if ("value" in input) return bits(input.value);
  let entries = input as Iterable<readonly [PermissionLike, unknown]>;
  let off = 0n;
  if (!(input instanceof Map)) {
    if (Symbol.iterator in input) {
      for (const permission of input) off |= bits(permission);
      return off;
    }
    // A promise or a date has no entries, and would read as a dictionary that changes nothing.
    if ({}.toString.call(input) !== "[object Object]") return bits(input);
    entries = Object.entries(input) as [PermissionName, unknown][];
  }
  for (const [permission, enabled] of entries) {
    checkBoolean(permission, enabled);
    if (enabled) value |= bits(permission);
    else off |= bits(permission);
  }
  return value & ~off;
}

/** The bits of one name or value. */
function bits(permission: unknown): bigint {
  const text = String(permission);
  // An object is none, even if its text is: that of the list ["8"] is "8".
  if (typeof permission !== "object") {
    // Not longer: the time that reading digits takes grows with their square.
    if (/^\d{1,9999}$/.test(text) && (typeof permission !== "number" || permission < 2 ** 53)) {
      return BigInt(text);
    }
    const name = text === "use_external_stickers" ? "use_external_sticker" : text;
    const bit = flags[name as PermissionName];
    if (bit) return bit;
  }
  refuse("permissions", `names like "${nearest(text.toLowerCase())}" or safe integers`, permission);
}

/** The known name that shares most pairs of letters with a misspelt one. */
function nearest(misspelt: string): string | undefined {
  // No more letters than a name has: what was received may be a whole book.
  const likeness = (name: string) =>
    misspelt.split("", 40).filter((letter, i) => name.includes(letter + misspelt[i + 1])).length;
  return namesOf(-1n).sort((a, b) => likeness(b) - likeness(a))[0];
}

/** The names of the bits in a value, lowest first. */
export function namesOf(value: bigint): PermissionName[] {
  return (Object.keys(flags) as PermissionName[]).filter((name) => value & flags[name]);
}
