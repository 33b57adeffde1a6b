/**
 * Finds permissions and presets by the words that people search for.
 *
 * @module
 */

import { permissionInfo } from "../../src/permissions/permission_info.ts";
import type { PermissionName, PresetName } from "../../src/permissions/permissions.ts";

/** Returns the text that a search for permissions looks through. */
export function permissionSearchText(name: PermissionName): string {
  const { label, description, channels, elevated } = permissionInfo[name];
  const guarded = elevated ? "elevated 2fa two-factor" : "";
  return [name, label, description, ...channels, guarded, permissionWords[name] ?? ""].join(" ");
}

/** Search words for a permission that are in neither its name nor its description. The singular also finds the plural. */
const permissionWords: Readonly<Partial<Record<PermissionName, string>>> = {
  view_channel: "room access",
  manage_channels: "category ticket lock moderator admin",
  manage_roles: "reaction role assign give autorole verify verification admin",
  manage_guild: "guild admin automod integration",
  manage_webhooks: "log logging relay bridge mirror admin",
  view_audit_log: "logging history moderator admin",
  view_guild_insights: "guild statistic analytics",
  view_creator_monetization_analytics: "money revenue premium statistic",
  create_guild_expressions: "emote upload soundboard",
  manage_guild_expressions: "emote soundboard",
  create_events: "calendar schedule",
  manage_events: "calendar schedule",
  create_instant_invite: "invitation",
  change_nickname: "rename",
  manage_nicknames: "rename moderator",
  kick_members: "moderator",
  ban_members: "unban block moderator",
  moderate_members: "timeout mute silence moderator",
  send_messages: "talk chat post announcement publish",
  send_messages_in_threads: "reply answer ticket",
  create_public_threads: "forum",
  create_private_threads: "ticket support",
  embed_links: "rich card",
  attach_files: "upload picture photo",
  add_reactions: "react emoji emote vote",
  use_external_emojis: "emote custom",
  use_external_sticker: "custom",
  mention_everyone: "ping announcement",
  read_message_history: "old log",
  send_polls: "vote survey",
  send_voice_messages: "audio",
  send_tts_messages: "tts",
  use_application_commands: "interaction bot",
  manage_messages: "purge clear prune bulk announcement publish moderator",
  pin_messages: "moderator",
  manage_threads: "lock forum moderator",
  bypass_slowmode: "cooldown",
  connect: "music dj radio call",
  speak: "music dj radio play audio sound",
  stream: "webcam go live",
  use_vad: "vad music",
  use_soundboard: "effect",
  use_embedded_activities: "play",
  mute_members: "silence moderator",
  deafen_members: "silence moderator",
  move_members: "disconnect drag moderator",
  request_to_speak: "hand",
  administrator: "admin owner full all",
};

/** Search words for a preset, besides its name and its content. */
export const presetWords: Readonly<Partial<Record<PresetName, string>>> = {
  general: "admin log webhook emoji sticker",
  membership: "moderator mute member",
  text: "chat message announcement emoji thread command",
  voice: "music dj radio sound",
  stageModerator: "moderator voice",
  elevated: "moderator 2fa",
  advanced: "admin owner",
};

/** Hints to show with the results of a search for certain words. */
const hints: readonly (readonly [query: RegExp, hint: string])[] = [
  [
    /\b(slash|commands?|interactions?)\b/i,
    "Your bot's own commands need the scope applications.commands, not a permission.",
  ],
];

/** Returns true if every word of a query begins a word of the text. Case and separators don't matter. */
export function matches(text: string, query: string): boolean {
  const words = splitWords(text);
  return splitWords(query).every((wanted) =>
    words.some((word) => word.startsWith(wanted) || word === singular(wanted))
  );
}

/** Returns the hint for a query, if there is one. */
export function searchHint(query: string): string | undefined {
  return hints.find(([asked]) => asked.test(query))?.[1];
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function singular(word: string): string {
  return word.replace(/s$/, "");
}
