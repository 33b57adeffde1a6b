/**
 * What the platform answers, as types. The values are plain objects, deeply frozen; only this library makes them.
 *
 * Every field listed here is always there, with `null` where the platform sent nothing. Fields that are not listed pass
 * through as they came.
 *
 * @module
 */

/**
 * A user.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#user-object | The user object in the platform's documentation}
 */
export interface UserObj {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's name, unique only together with the discriminator. */
  readonly username: string;
  /** The user's tag; `"0"` for names that are unique by themselves. */
  readonly discriminator: string | null;
  /** The name to show; for bots, the application's name. */
  readonly global_name: string | null;
  /** Hash of the avatar. */
  readonly avatar: string | null;
  /** Whether the user belongs to an application; `false` when the platform does not say. */
  readonly bot: boolean;
  /** Whether the user is part of the platform's system; `false` when the platform does not say. */
  readonly system: boolean;
  /** Whether the account has multi-factor authentication. */
  readonly mfa_enabled: boolean | null;
  /** Hash of the banner. */
  readonly banner: string | null;
  /** Color of the banner, as the integer of its hexadecimal notation. */
  readonly accent_color: number | null;
  /** The chosen language, for example `en-US`. */
  readonly locale: string | null;
  /** Whether the e-mail address is verified; needs the `email` scope. */
  readonly verified: boolean | null;
  /** The e-mail address; needs the `email` scope. */
  readonly email: string | null;
  /** Flags of the account. */
  readonly flags: number | null;
  /** Type of the paid subscription. */
  readonly premium_type: number | null;
  /** Public flags of the account. */
  readonly public_flags: number | null;
  /** Hash of the avatar decoration, also when it came as `avatar_decoration_data.asset`. */
  readonly avatar_decoration: string | null;
}

/**
 * An entry of the list of a user's guilds.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#get-current-user-guilds | Get Current User Guilds in the platform's documentation}
 */
export interface PartialGuildObj {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /** Hash of the icon. */
  readonly icon: string | null;
  /** URL of the icon, built from its hash. */
  readonly icon_url: string | null;
  /** Hash of the banner. */
  readonly banner: string | null;
  /** Whether the user owns the guild. */
  readonly owner: boolean | null;
  /** The user's permissions in the guild, as a decimal string for `new Permissions(…)`. */
  readonly permissions: `${bigint}` | null;
  /** The same as `permissions`. */
  readonly perms: `${bigint}` | null;
  /** The features that are on, for example `COMMUNITY`. */
  readonly features: readonly string[] | null;
  /** About how many members; with `withCounts` only. */
  readonly approximate_member_count: number | null;
  /** About how many members are not offline; with `withCounts` only. */
  readonly approximate_presence_count: number | null;
}

/**
 * A guild.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#guild-object | The guild object in the platform's documentation}
 */
export interface GuildObj extends PartialGuildObj {
  /** Hash of the splash. */
  readonly splash: string | null;
  /** Hash of the discovery splash. */
  readonly discovery_splash: string | null;
  /** Id of the owner. */
  readonly owner_id: string | null;
  /** The voice region, which the platform has deprecated. */
  readonly region: string | null;
  /** Id of the channel idle users are moved to. */
  readonly afk_channel_id: string | null;
  /** Seconds until an idle user is moved. */
  readonly afk_timeout: number | null;
  /** Whether the widget is on. */
  readonly widget_enabled: boolean | null;
  /** Id of the channel the widget invites to. */
  readonly widget_channel_id: string | null;
  /** Verification level, 0 to 4. */
  readonly verification_level: number | null;
  /** Default notification level, 0 or 1. */
  readonly default_message_notifications: number | null;
  /** Content filter level, 0 to 2. */
  readonly explicit_content_filter: number | null;
  /** The roles. */
  readonly roles: readonly RoleObj[] | null;
  /** The custom emojis. */
  readonly emojis: readonly EmojiObj[] | null;
  /** The level of multi-factor authentication that moderation demands, 0 or 1. */
  readonly mfa_level: number | null;
  /** Id of the application that made the guild. */
  readonly application_id: string | null;
  /** Id of the channel for notices such as welcomes and boosts. */
  readonly system_channel_id: string | null;
  /** Flags of the system channel. */
  readonly system_channel_flags: number | null;
  /** Id of the channel with the rules of a community guild. */
  readonly rules_channel_id: string | null;
  /** The most presences; `null` for all but the largest guilds. */
  readonly max_presences: number | null;
  /** The most members. */
  readonly max_members: number | null;
  /** The code of the vanity URL. */
  readonly vanity_url_code: string | null;
  /** The description. */
  readonly description: string | null;
  /** Boost level, 0 to 3. */
  readonly premium_tier: number | null;
  /** How many boosts there are. */
  readonly premium_subscription_count: number | null;
  /** The preferred locale of a community guild, for example `en-US`. */
  readonly preferred_locale: string | null;
  /** Id of the channel where moderators of a community guild get notices from the platform. */
  readonly public_updates_channel_id: string | null;
  /** The most users in a video channel. */
  readonly max_video_channel_users: number | null;
  /** The most users in a stage's video channel. */
  readonly max_stage_video_channel_users: number | null;
  /** The welcome screen of a community guild. */
  readonly welcome_screen: WelcomeScreenObj | null;
  /** Age restriction level, 0 to 3. */
  readonly nsfw_level: number | null;
  /** The custom stickers. */
  readonly stickers: readonly StickerObj[] | null;
  /** Whether the boost progress bar is on. */
  readonly premium_progress_bar_enabled: boolean | null;
  /** Id of the channel where moderators of a community guild get safety alerts. */
  readonly safety_alerts_channel_id: string | null;
}

/**
 * A role of a guild; what is not listed here passes through.
 *
 * @see {@link https://docs.discord.com/developers/topics/permissions#role-object | The role object in the platform's documentation}
 */
export interface RoleObj {
  /** The role's id, a snowflake; that of `@everyone` is the guild's. */
  readonly id: string;
  /** The role's name. */
  readonly name: string;
  /** The role's permissions, as a decimal string for `new Permissions(…)`. */
  readonly permissions: `${bigint}`;
  /** The role's place from the bottom, 0 for `@everyone`. */
  readonly position: number;
  /** Other fields, as they came. */
  readonly [field: string]: unknown;
}

/**
 * A custom emoji of a guild; what is not listed here passes through.
 *
 * @see {@link https://docs.discord.com/developers/resources/emoji#emoji-object | The emoji object in the platform's documentation}
 */
export interface EmojiObj {
  /** The emoji's id, a snowflake. */
  readonly id: string | null;
  /** The emoji's name. */
  readonly name: string | null;
  /** Other fields, as they came. */
  readonly [field: string]: unknown;
}

/**
 * A custom sticker of a guild; what is not listed here passes through.
 *
 * @see {@link https://docs.discord.com/developers/resources/sticker#sticker-object | The sticker object in the platform's documentation}
 */
export interface StickerObj {
  /** The sticker's id, a snowflake. */
  readonly id: string;
  /** The sticker's name. */
  readonly name: string;
  /** Other fields, as they came. */
  readonly [field: string]: unknown;
}

/**
 * The welcome screen of a community guild.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#welcome-screen-object | The welcome screen in the platform's documentation}
 */
export interface WelcomeScreenObj {
  /** What the guild says about itself. */
  readonly description: string | null;
  /** The channels it shows, up to five. */
  readonly welcome_channels: readonly WelcomeChannelObj[];
  /** Other fields, as they came. */
  readonly [field: string]: unknown;
}

/** A channel on a welcome screen. */
export interface WelcomeChannelObj {
  /** The channel's id, a snowflake. */
  readonly channel_id: string;
  /** What is said about the channel. */
  readonly description: string;
  /** Id of the emoji, when it is a custom one. */
  readonly emoji_id: string | null;
  /** Name of the emoji when it is a custom one, else the character itself. */
  readonly emoji_name: string | null;
  /** Other fields, as they came. */
  readonly [field: string]: unknown;
}

/**
 * The webhook that a person chose a channel for; what is not listed here passes through.
 *
 * @see {@link https://docs.discord.com/developers/resources/webhook#webhook-object | The webhook object in the platform's documentation}
 */
export interface WebhookObj {
  /** The webhook's id, a snowflake. */
  readonly id: string;
  /** The token that posts to the webhook: a secret. */
  readonly token: string | null;
  /** The URL that posts to the webhook: a secret. */
  readonly url: string | null;
  /** Other fields, as they came. */
  readonly [field: string]: unknown;
}

/**
 * The answer to a token request. It *is* the secret: keep it on the server, and out of logs.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.1 | RFC 6749 section 5.1}
 */
export interface TokenObj {
  /** The access token, for `new User(…)`. */
  readonly access_token: string;
  /** How the access token is sent: `Bearer`. */
  readonly token_type: string;
  /** Seconds from the answer on for which the access token works. */
  readonly expires_in: number;
  /** When the access token ends, in milliseconds since the epoch; fixed when the answer came. */
  readonly expires_at: number;
  /** The single-use token for a new access token; `null` for grants that have none. */
  readonly refresh_token: string | null;
  /** What was granted, separated by spaces; what was asked for, when the platform does not say. */
  readonly scope: string;
  /** What was granted, as a list. */
  readonly scopes: readonly string[];
  /** The guild a bot was added to, when the login had the `bot` scope. */
  readonly guild: GuildObj | null;
  /** The webhook that was made, when the login had the `webhook.incoming` scope. */
  readonly webhook: WebhookObj | null;
  /** Who logged in, as a signed JWT, when the login had the `openid` scope. Not verified here. */
  readonly id_token: string | null;
}
