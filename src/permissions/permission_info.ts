/**
 * The label, the description and the channels of each permission, for display.
 *
 * No other module imports this table, so only a page that uses it downloads it.
 *
 * @example
 * ```ts
 * import { permissionInfo } from "@guildpass/sdk/permission-info";
 * import { Permissions } from "@guildpass/sdk/permissions";
 *
 * const wanted = new Permissions(["connect", "kick_members"]);
 * const labels = wanted.toArray().map((name) =>
 *   permissionInfo[name].label
 * );
 * // ["Kick members", "Connect"]
 * const asksForTwoFactor = wanted.toArray().some((name) =>
 *   permissionInfo[name].elevated
 * ); // true
 * ```
 *
 * @module
 */

import type { PermissionName } from "./names.ts";

export type { PermissionName };

/** The group of a permission, for display. */
export type PermissionGroup = "general" | "membership" | "text" | "voice" | "stage" | "advanced";

/** A kind of channel that can grant or deny a permission. Threads, forums and announcements are text channels. */
export type PermissionChannel = "text" | "voice" | "stage";

/** The description of one permission, for display. */
export interface PermissionInfo {
  /** The displayed name in English, for example `Manage server`. */
  readonly label: string;
  /** The description, in one sentence. */
  readonly description: string;
  /** The group of the permission, for display. */
  readonly group: PermissionGroup;
  /** The kinds of channels that can grant or deny the permission. Empty if the permission applies to the whole server. */
  readonly channels: readonly PermissionChannel[];
  /**
   * True if the permission needs two-factor authentication in a server that requires it for moderation. For a bot, its owner's
   * account needs two-factor authentication.
   */
  readonly elevated: boolean;
}

const everywhere: readonly PermissionChannel[] = /* @__PURE__ */ Object.freeze([
  "text",
  "voice",
  "stage",
]);
const spoken: readonly PermissionChannel[] = /* @__PURE__ */ Object.freeze(["voice", "stage"]);
const text: readonly PermissionChannel[] = /* @__PURE__ */ Object.freeze(["text"]);
const voice: readonly PermissionChannel[] = /* @__PURE__ */ Object.freeze(["voice"]);
const stage: readonly PermissionChannel[] = /* @__PURE__ */ Object.freeze(["stage"]);
const textAndVoice: readonly PermissionChannel[] = /* @__PURE__ */ Object.freeze(["text", "voice"]);
const wholeServer: readonly PermissionChannel[] = /* @__PURE__ */ Object.freeze([]);
const elevated = true;

/**
 * Every permission in display order: by group, with common permissions first. Deeply frozen.
 *
 * Discord's documentation marks the elevated permissions. Here, `moderate_members` is elevated too, as in
 * `Permissions.presets`.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags | Discord: Permission flags}
 */
export const permissionInfo: Readonly<Record<PermissionName, PermissionInfo>> =
  /* @__PURE__ */ Object.freeze({
    view_channel: row(
      "general",
      "View channels",
      "See channels, read their messages and find voice channels to join.",
      everywhere,
    ),
    manage_channels: row(
      "general",
      "Manage channels",
      "Create, rename, change and delete channels.",
      everywhere,
      elevated,
    ),
    manage_roles: row(
      "general",
      "Manage roles",
      "Create, change and assign roles below its own, and set a channel's permissions.",
      everywhere,
      elevated,
    ),
    manage_guild: row(
      "general",
      "Manage server",
      "Change the server's name and settings, and add bots to it.",
      wholeServer,
      elevated,
    ),
    manage_webhooks: row(
      "general",
      "Manage webhooks",
      "Create, change and delete the webhooks that post into channels.",
      everywhere,
      elevated,
    ),
    view_audit_log: row(
      "general",
      "View audit log",
      "Read the record of who changed what in the server.",
      wholeServer,
    ),
    view_guild_insights: row(
      "general",
      "View server insights",
      "See the server's growth and activity statistics.",
      wholeServer,
    ),
    view_creator_monetization_analytics: row(
      "general",
      "View monetization insights",
      "See the statistics of role subscriptions.",
      wholeServer,
      elevated,
    ),
    create_guild_expressions: row(
      "general",
      "Create expressions",
      "Add emojis, stickers and sounds, and change or delete its own.",
      wholeServer,
    ),
    manage_guild_expressions: row(
      "general",
      "Manage expressions",
      "Change and delete all emojis, stickers and sounds.",
      wholeServer,
      elevated,
    ),
    create_events: row(
      "general",
      "Create events",
      "Schedule events, and change or cancel its own.",
      spoken,
    ),
    manage_events: row("general", "Manage events", "Change and cancel all events.", spoken),

    create_instant_invite: row(
      "membership",
      "Create invites",
      "Make links that invite new people to the server.",
      everywhere,
    ),
    change_nickname: row(
      "membership",
      "Change nickname",
      "Choose its own nickname in the server.",
      wholeServer,
    ),
    manage_nicknames: row(
      "membership",
      "Manage nicknames",
      "Change other members' nicknames.",
      wholeServer,
    ),
    kick_members: row(
      "membership",
      "Kick members",
      "Remove members from the server; they can rejoin with a new invite.",
      wholeServer,
      elevated,
    ),
    ban_members: row(
      "membership",
      "Ban members",
      "Remove members for good, and lift bans.",
      wholeServer,
      elevated,
    ),
    moderate_members: row(
      "membership",
      "Time out members",
      "Stop members from writing, reacting and speaking for a while.",
      wholeServer,
      elevated,
    ),

    send_messages: row(
      "text",
      "Send messages",
      "Write in channels and start posts in forums; threads have their own permission.",
      everywhere,
    ),
    send_messages_in_threads: row(
      "text",
      "Send messages in threads",
      "Write in threads and below forum posts.",
      text,
    ),
    create_public_threads: row(
      "text",
      "Create public threads",
      "Start threads that everybody in the channel can see.",
      text,
    ),
    create_private_threads: row(
      "text",
      "Create private threads",
      "Start threads that only invited people can see.",
      text,
    ),
    embed_links: row(
      "text",
      "Embed links",
      "Show previews for its links and embeds.",
      everywhere,
    ),
    attach_files: row("text", "Attach files", "Send images and other files.", everywhere),
    add_reactions: row(
      "text",
      "Add reactions",
      "Add new reactions to messages; joining an existing one needs no permission.",
      everywhere,
    ),
    use_external_emojis: row(
      "text",
      "Use external emojis",
      "Use custom emojis of other servers.",
      everywhere,
    ),
    use_external_sticker: row(
      "text",
      "Use external stickers",
      "Use custom stickers of other servers.",
      everywhere,
    ),
    mention_everyone: row(
      "text",
      "Mention everyone",
      "Notify everyone with @everyone, everyone online with @here, and any role.",
      everywhere,
    ),
    read_message_history: row(
      "text",
      "Read message history",
      "Read messages sent before it opened the channel.",
      everywhere,
    ),
    send_polls: row("text", "Create polls", "Ask the channel to vote.", everywhere),
    send_voice_messages: row(
      "text",
      "Send voice messages",
      "Send recordings as messages.",
      everywhere,
    ),
    send_tts_messages: row(
      "text",
      "Send text-to-speech messages",
      "Send messages that are read aloud to everyone in the channel.",
      everywhere,
    ),
    use_application_commands: row(
      "text",
      "Use application commands",
      "Run the commands of apps, from the slash menu or a context menu.",
      everywhere,
    ),
    use_external_apps: row(
      "text",
      "Use external apps",
      "Show replies from a user's own apps to everyone.",
      everywhere,
    ),
    manage_messages: row(
      "text",
      "Manage messages",
      "Delete messages of other people.",
      everywhere,
      elevated,
    ),
    pin_messages: row("text", "Pin messages", "Pin messages in a channel and unpin them.", text),
    manage_threads: row(
      "text",
      "Manage threads",
      "Archive and delete threads, and see every private one.",
      text,
      elevated,
    ),
    bypass_slowmode: row(
      "text",
      "Bypass slow mode",
      "Send messages without waiting in slow mode channels.",
      everywhere,
    ),

    connect: row("voice", "Connect", "Join voice channels and hear others.", spoken),
    speak: row("voice", "Speak", "Talk in voice channels.", voice),
    stream: row("voice", "Video", "Turn on a camera or share a screen.", spoken),
    use_vad: row(
      "voice",
      "Use voice activity",
      "Be heard by speaking, without push-to-talk.",
      voice,
    ),
    priority_speaker: row(
      "voice",
      "Priority speaker",
      "Make others quieter while it speaks.",
      voice,
    ),
    use_soundboard: row(
      "voice",
      "Use soundboard",
      "Play the sounds of the server's soundboard.",
      voice,
    ),
    use_external_sounds: row(
      "voice",
      "Use external sounds",
      "Play soundboard sounds of other servers.",
      voice,
    ),
    use_embedded_activities: row(
      "voice",
      "Use activities",
      "Start games and other activities together.",
      textAndVoice,
    ),
    set_voice_channel_status: row(
      "voice",
      "Set voice channel status",
      "Set the text that says what a voice channel is about.",
      voice,
    ),
    mute_members: row(
      "voice",
      "Mute members",
      "Mute others for everyone; in a stage, also let them speak.",
      spoken,
    ),
    deafen_members: row("voice", "Deafen members", "Keep others from hearing the channel.", voice),
    move_members: row(
      "voice",
      "Move members",
      "Move others to another voice channel, or disconnect them.",
      spoken,
    ),

    request_to_speak: row("stage", "Request to speak", "Raise a hand to speak in a stage.", stage),

    administrator: row(
      "advanced",
      "Administrator",
      "Do everything, in every channel, whatever a channel denies. Ask for it only if nothing less will do.",
      wholeServer,
      elevated,
    ),
  });

/* @__NO_SIDE_EFFECTS__ */
function row(
  group: PermissionGroup,
  label: string,
  description: string,
  channels: readonly PermissionChannel[],
  elevated = false,
): PermissionInfo {
  return Object.freeze({ label, description, group, channels, elevated });
}
