/**
 * The largest answers of the platform: every documented field, with values of the usual length.
 *
 * @module
 */

const id = (index: number) => String(1024000000000000000n + BigInt(index) * 4194304n);
const hash = (index: number) =>
  `a_${index.toString(16).padStart(32, "9e107d9d372bb6826bd81d3542a419d6")}`;

/** The answer to `GET /users/@me`, with the `email` scope. */
export const user = {
  id: id(1),
  username: "nelly",
  discriminator: "0",
  global_name: "Nelly",
  avatar: hash(1),
  mfa_enabled: true,
  banner: hash(2),
  accent_color: 16711680,
  locale: "en-US",
  verified: true,
  email: "nelly@example.com",
  flags: 64,
  premium_type: 1,
  public_flags: 64,
  avatar_decoration_data: { asset: hash(3), sku_id: id(2), expires_at: null },
  clan: null,
  primary_guild: null,
  collectibles: null,
  banner_color: "#ff0000",
};

/** The answer to `GET /users/@me/guilds?with_counts=true`. */
export function guildList(length: number): unknown[] {
  return Array.from({ length }, (_, index) => ({
    id: id(index),
    name: `Guild number ${index}`,
    icon: hash(index),
    banner: null,
    owner: index % 10 === 0,
    permissions: "2251799813685247",
    features: ["COMMUNITY", "NEWS", "ANIMATED_ICON", "INVITE_SPLASH"],
    approximate_member_count: 3268 + index,
    approximate_presence_count: 784 + index,
  }));
}

/** The answer to `GET /guilds/{id}?with_counts=true`, a large guild at size 1. */
export function guild(size: number): Record<string, unknown> {
  return {
    id: id(0),
    name: "A large guild",
    icon: hash(0),
    description: "Everything the platform has",
    home_header: null,
    splash: hash(1),
    discovery_splash: hash(2),
    features: [
      "COMMUNITY",
      "NEWS",
      "ANIMATED_ICON",
      "INVITE_SPLASH",
      "DISCOVERABLE",
    ],
    banner: hash(3),
    owner_id: id(3),
    application_id: null,
    region: "deprecated",
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: id(4),
    system_channel_flags: 0,
    widget_enabled: true,
    widget_channel_id: null,
    verification_level: 3,
    default_message_notifications: 1,
    mfa_level: 1,
    explicit_content_filter: 2,
    max_presences: null,
    max_members: 500000,
    max_stage_video_channel_users: 300,
    max_video_channel_users: 25,
    vanity_url_code: "large",
    premium_tier: 3,
    premium_subscription_count: 33,
    preferred_locale: "en-US",
    rules_channel_id: id(5),
    safety_alerts_channel_id: id(6),
    public_updates_channel_id: id(7),
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    approximate_member_count: 32680,
    approximate_presence_count: 7840,
    roles: Array.from({ length: 250 * size }, (_, index) => ({
      id: id(index),
      name: `Role number ${index}`,
      description: null,
      permissions: "1071698660929",
      position: index,
      color: 3447003,
      colors: {
        primary_color: 3447003,
        secondary_color: null,
        tertiary_color: null,
      },
      hoist: index % 2 === 0,
      managed: false,
      mentionable: false,
      icon: null,
      unicode_emoji: null,
      flags: 0,
      ...(index % 5 === 0 && { tags: { bot_id: id(index) } }),
    })),
    emojis: Array.from({ length: 500 * size }, (_, index) => ({
      id: id(index),
      name: `emoji_${index}`,
      roles: [],
      require_colons: true,
      managed: false,
      animated: index % 2 === 0,
      available: true,
    })),
    stickers: Array.from({ length: 60 * size }, (_, index) => ({
      id: id(index),
      name: `sticker_${index}`,
      tags: "🤝",
      type: 2,
      format_type: 1,
      description: "A sticker of the guild",
      asset: "",
      available: true,
      guild_id: id(0),
    })),
  };
}

/** The answer to `POST /oauth2/token`. */
export const token = {
  token_type: "Bearer",
  access_token: "6qrZcUqja7812RVdnEKjpzOL4CvHBF",
  expires_in: 604800,
  refresh_token: "D43f5y0ahjqew82jZ4NViEr2YafMKhue",
  scope: "identify guilds",
};
