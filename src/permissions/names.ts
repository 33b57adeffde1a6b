/**
 * The permission names, with their bits and types.
 *
 * @module
 */

/**
 * Every permission that Discord documents, in bit order from bit 0. `null` is a bit without a name.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags | Discord: Permission flags}
 */
export const permissionNames = [
  "create_instant_invite",
  "kick_members",
  "ban_members",
  "administrator",
  "manage_channels",
  "manage_guild",
  "add_reactions",
  "view_audit_log",
  "priority_speaker",
  "stream",
  "view_channel",
  "send_messages",
  "send_tts_messages",
  "manage_messages",
  "embed_links",
  "attach_files",
  "read_message_history",
  "mention_everyone",
  "use_external_emojis",
  "view_guild_insights",
  "connect",
  "speak",
  "mute_members",
  "deafen_members",
  "move_members",
  "use_vad",
  "change_nickname",
  "manage_nicknames",
  "manage_roles",
  "manage_webhooks",
  "manage_guild_expressions",
  "use_application_commands",
  "request_to_speak",
  "manage_events",
  "manage_threads",
  "create_public_threads",
  "create_private_threads",
  "use_external_sticker",
  "send_messages_in_threads",
  "use_embedded_activities",
  "moderate_members",
  "view_creator_monetization_analytics",
  "use_soundboard",
  "create_guild_expressions",
  "create_events",
  "use_external_sounds",
  "send_voice_messages",
  null, // The platform does not document bit 47.
  "set_voice_channel_status",
  "send_polls",
  "use_external_apps",
  "pin_messages",
  "bypass_slowmode",
] as const;

/**
 * The name of one permission, as Discord documents it, in `snake_case` and in bit order. Only `use_external_sticker` differs: Discord
 * documents `USE_EXTERNAL_STICKERS`, which works too. `permissionInfo` has the label, the description and the group of each.
 */
export type PermissionName = NonNullable<(typeof permissionNames)[number]>;

/** Another name of a permission, which works too: a former one, or Discord's `use_external_stickers`. */
export type FormerPermissionName =
  | "manage_emojis"
  | "manage_emojis_and_stickers"
  | "read_messages"
  | "use_external_stickers";

/** The name in a permission set for each other name. */
const formerNames: Readonly<Record<FormerPermissionName, PermissionName>> = {
  manage_emojis: "manage_guild_expressions",
  manage_emojis_and_stickers: "manage_guild_expressions",
  read_messages: "view_channel",
  use_external_stickers: "use_external_sticker",
};

let flagsByName: Readonly<Record<PermissionName, bigint>> | undefined;

/**
 * Returns the bit of every named permission, lowest first. The table is built at its first use, since no code runs at import. It has no
 * prototype, so `constructor` is not a name.
 */
export function flags(): Readonly<Record<PermissionName, bigint>> {
  if (flagsByName) return flagsByName;
  const bits: Record<string, bigint> = Object.create(null);
  permissionNames.forEach((name, bit) => {
    if (name) bits[name] = 1n << BigInt(bit);
  });
  return flagsByName = Object.freeze(bits);
}

/** Returns the names of the bits in a value, lowest first. */
export function namesOf(value: bigint): PermissionName[] {
  const bits = flags();
  return (Object.keys(bits) as PermissionName[]).filter((name) => value & bits[name]);
}

/** Returns the bit of a name such as `send_messages`, `SEND_MESSAGES`, `SendMessages`, or a former name. */
export function bitOfName(text: string): bigint | undefined {
  const bits: Readonly<Record<string, bigint>> = flags();
  const formerly: Readonly<Record<string, string>> = formerNames;
  // Puts an underscore before the first letter of each word, also after a word in capitals, as in `SendTTSMessages`.
  const name = text in bits
    ? text
    : text.replace(/[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, "$&_").toLowerCase();
  return bits[formerly[name] ?? name];
}
