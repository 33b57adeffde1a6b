/**
 * The permissions that usual kinds of bots need, and no others. Each kind asks for as little as it can work with: a bot that does
 * more than its line says needs more.
 *
 * @module
 */

import { type PermissionName, Permissions } from "../../src/permissions/permissions.ts";

/** A kind of bot. */
export interface BotPreset {
  readonly label: string;
  /** The work of such a bot, in a few words. */
  readonly about: string;
  readonly permissions: readonly PermissionName[];
  /** Search words besides the label and the work. */
  readonly words: string;
}

/** Nearly every bot that posts needs these. */
const posting = ["view_channel", "send_messages", "embed_links"] as const;

/** The kinds of bots, the most usual ones first. A bot with slash commands alone needs no permission, so it is not among them. */
export const botPresets: readonly BotPreset[] = [
  {
    label: "Moderation",
    about: "Time out, kick, ban, delete",
    // It logs its work, and reads the history to delete several messages at once.
    permissions: [
      ...posting,
      "read_message_history",
      "manage_messages",
      "moderate_members",
      "kick_members",
      "ban_members",
    ],
    words: "moderator mute purge clean automod warn spam",
  },
  {
    label: "Music",
    about: "Join voice and play",
    permissions: [...posting, "connect", "speak"],
    words: "dj radio song sound audio player",
  },
  {
    label: "Tickets",
    about: "A private thread for each",
    // With threads, it needs neither Manage channels nor Manage roles.
    permissions: [
      ...posting,
      "attach_files",
      "read_message_history",
      "create_private_threads",
      "send_messages_in_threads",
      "manage_threads",
    ],
    words: "support help desk modmail",
  },
  {
    label: "Welcome and roles",
    about: "Greet, reaction roles",
    // Its role must be above those that it gives.
    permissions: [
      ...posting,
      "attach_files",
      "add_reactions",
      "read_message_history",
      "manage_roles",
    ],
    words: "greeting join autorole verify verification level",
  },
  {
    label: "Logging",
    about: "Report who changed what",
    permissions: [...posting, "view_audit_log"],
    words: "log logs audit history",
  },
  {
    label: "Announcements",
    about: "News, mention everyone",
    // Publishing its own messages in an announcement channel needs nothing else.
    permissions: [...posting, "attach_files", "mention_everyone"],
    words: "news feed ping publish stream notification reminder",
  },
  {
    label: "Webhooks",
    about: "Post under any name",
    // A webhook posts without permissions of its bot.
    permissions: ["view_channel", "manage_webhooks"],
    words: "bridge relay mirror proxy",
  },
  {
    label: "Chat",
    about: "Reply, in threads too",
    permissions: [
      ...posting,
      "send_messages_in_threads",
      "read_message_history",
      "attach_files",
      "add_reactions",
    ],
    words: "ai assistant talk reply fun game",
  },
];

/** Returns the value of a kind of bot. */
export function botPresetValue({ permissions }: BotPreset): bigint {
  return new Permissions(permissions).value;
}

/** Returns the text that a search for kinds of bots looks through. */
export function botPresetSearchText({ label, about, words }: BotPreset): string {
  return `${label} ${about} ${words} bot`;
}
