/**
 * The platform's wire shapes, as far as the fake platform answers them: names, types and nullability as
 * on the wire. They are held against `discord-api-types` by a type test.
 *
 * @module
 */

/** What `GET /users/@me` answers. `email` and `verified` are there only with the `email` scope. */
export interface UserPayload {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's unique name. */
  readonly username: string;
  /** The user's tag: `"0"` since tags were retired, four digits for bots and old accounts. */
  readonly discriminator: string;
  /** The display name, if one is set. */
  readonly global_name: string | null;
  /** The avatar hash. */
  readonly avatar: string | null;
  /** Whether the account belongs to an application; absent means no. */
  readonly bot?: boolean;
  /** Whether the account is the platform's own; absent means no. */
  readonly system?: boolean;
  /** Whether two-factor authentication is on. */
  readonly mfa_enabled: boolean;
  /** The banner hash. */
  readonly banner: string | null;
  /** The banner colour as an integer. */
  readonly accent_color: number | null;
  /** The chosen language. */
  readonly locale: string;
  /** Whether the email address is verified. */
  readonly verified?: boolean;
  /** The email address. */
  readonly email?: string | null;
  /** The account's flags. */
  readonly flags: number;
  /** The kind of subscription: 0 none, 1 classic, 2 full, 3 basic. */
  readonly premium_type?: number;
  /** The account's public flags. */
  readonly public_flags: number;
  /** The avatar decoration. */
  readonly avatar_decoration_data: { readonly asset: string; readonly sku_id: string } | null;
  /** Collectibles such as a nameplate. */
  readonly collectibles: CollectiblesPayload | null;
  /** The guild whose tag the user shows. */
  readonly primary_guild: PrimaryGuildPayload | null;
}

/** A user's collectibles. */
export interface CollectiblesPayload {
  /** The nameplate the user shows. */
  readonly nameplate?: {
    readonly sku_id: string;
    readonly asset: string;
    readonly label: string;
    readonly palette: string;
  };
}

/** The guild tag a user shows beside their name. */
export interface PrimaryGuildPayload {
  /** The guild's id. */
  readonly identity_guild_id: string | null;
  /** Whether the tag is shown. */
  readonly identity_enabled: boolean | null;
  /** The tag's text, up to four characters. */
  readonly tag: string | null;
  /** The hash of the tag's badge. */
  readonly badge: string | null;
}

/** A role of a guild. */
export interface RolePayload {
  /** The role's id. The `@everyone` role has the guild's. */
  readonly id: string;
  /** The role's name. */
  readonly name: string;
  /** The role's colour as an integer (the platform's older form of `colors`). */
  readonly color: number;
  /** The role's colours as integers. */
  readonly colors: {
    readonly primary_color: number;
    readonly secondary_color: number | null;
    readonly tertiary_color: number | null;
  };
  /** Whether its members are listed apart. */
  readonly hoist: boolean;
  /** The hash of the role's icon. */
  readonly icon: string | null;
  /** The emoji used as the role's icon. */
  readonly unicode_emoji: string | null;
  /** The position in the hierarchy; 0 is the lowest. */
  readonly position: number;
  /** The permissions as a decimal string. */
  readonly permissions: string;
  /** Whether an integration manages it. */
  readonly managed: boolean;
  /** Whether anybody may mention it. */
  readonly mentionable: boolean;
  /** What the role belongs to. */
  readonly tags?: {
    readonly bot_id?: string;
    readonly integration_id?: string;
    readonly premium_subscriber?: null;
  };
  /** The role's flags. */
  readonly flags: number;
}

/** A custom emoji of a guild. */
export interface EmojiPayload {
  /** The emoji's id. */
  readonly id: string | null;
  /** The emoji's name. */
  readonly name: string | null;
  /** The ids of the roles that may use it. */
  readonly roles?: readonly string[];
  /** Whether it must be written between colons. */
  readonly require_colons?: boolean;
  /** Whether an integration manages it. */
  readonly managed?: boolean;
  /** Whether it is animated. */
  readonly animated?: boolean;
  /** Whether it can be used now. */
  readonly available?: boolean;
}

/** A custom sticker of a guild. */
export interface StickerPayload {
  /** The sticker's id. */
  readonly id: string;
  /** The sticker's name. */
  readonly name: string;
  /** The sticker's description. */
  readonly description: string | null;
  /** Words to find it by. */
  readonly tags: string;
  /** 1 standard, 2 of a guild. */
  readonly type: number;
  /** 1 PNG, 2 APNG, 3 Lottie, 4 GIF. */
  readonly format_type: number;
  /** Whether it can be used now. */
  readonly available?: boolean;
  /** The guild it belongs to. */
  readonly guild_id?: string;
}

/** What `GET /guilds/{id}` answers. The counts are there only with `with_counts`. */
export interface GuildPayload {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /** The icon hash. */
  readonly icon: string | null;
  /** The hash of the invite page's background. */
  readonly splash: string | null;
  /** The hash of the discovery page's background. */
  readonly discovery_splash: string | null;
  /** The id of the user who owns the guild. */
  readonly owner_id: string;
  /** The voice region; the platform sets it per channel now. */
  readonly region: string | null;
  /** The channel idle users are moved to. */
  readonly afk_channel_id: string | null;
  /** Seconds until a user counts as idle. */
  readonly afk_timeout: 60 | 300 | 900 | 1800 | 3600;
  /** Whether the widget is on. */
  readonly widget_enabled: boolean;
  /** The channel the widget invites to. */
  readonly widget_channel_id: string | null;
  /** The verification level, 0–4. */
  readonly verification_level: number;
  /** 0 all messages, 1 only mentions. */
  readonly default_message_notifications: number;
  /** The content filter's level, 0–2. */
  readonly explicit_content_filter: number;
  /** The roles, `@everyone` first. */
  readonly roles: readonly RolePayload[];
  /** The custom emojis. */
  readonly emojis: readonly EmojiPayload[];
  /** The enabled features. */
  readonly features: readonly string[];
  /** 0 none, 1 two-factor authentication asked of moderators. */
  readonly mfa_level: number;
  /** The application that created the guild, if a bot did. */
  readonly application_id: string | null;
  /** The channel for notices such as welcome messages. */
  readonly system_channel_id: string | null;
  /** Which notices are switched off. */
  readonly system_channel_flags: number;
  /** The channel with the community's rules. */
  readonly rules_channel_id: string | null;
  /** The most presences; null for all but the largest guilds. */
  readonly max_presences: number | null;
  /** The most members. */
  readonly max_members: number;
  /** The code of the vanity URL. */
  readonly vanity_url_code: string | null;
  /** The description. */
  readonly description: string | null;
  /** The banner hash. */
  readonly banner: string | null;
  /** The boost level, 0–3. */
  readonly premium_tier: number;
  /** The number of boosts. */
  readonly premium_subscription_count: number;
  /** The language of a community guild. */
  readonly preferred_locale: string;
  /** The channel where moderators get the platform's notices. */
  readonly public_updates_channel_id: string | null;
  /** The most users in a video channel. */
  readonly max_video_channel_users: number;
  /** The most users in a stage video channel. */
  readonly max_stage_video_channel_users: number;
  /** About how many members there are; with `with_counts` only. */
  readonly approximate_member_count?: number;
  /** About how many members are online; with `with_counts` only. */
  readonly approximate_presence_count?: number;
  /** The hash of the image above the channel list; `null` for most guilds. */
  readonly home_header: string | null;
  /** Whether the guild is age-restricted (the platform's older form of `nsfw_level`). */
  readonly nsfw: boolean;
  /** The age restriction level, 0–3. */
  readonly nsfw_level: number;
  /** The custom stickers. */
  readonly stickers: readonly StickerPayload[];
  /** Whether the boost progress bar is shown. */
  readonly premium_progress_bar_enabled: boolean;
  /** The kind of student hub, for hubs. */
  readonly hub_type: number | null;
  /** The channel where moderators get safety alerts. */
  readonly safety_alerts_channel_id: string | null;
  /** Invites or direct messages paused after an incident. */
  readonly incidents_data: {
    readonly invites_disabled_until: string | null;
    readonly dms_disabled_until: string | null;
  } | null;
}

/** An entry of `GET /users/@me/guilds`. The counts are there only with `with_counts`. */
export interface PartialGuildPayload {
  /** The guild's id, a snowflake. */
  readonly id: string;
  /** The guild's name. */
  readonly name: string;
  /** The icon hash. */
  readonly icon: string | null;
  /** The banner hash. */
  readonly banner: string | null;
  /** Whether the user owns the guild. */
  readonly owner: boolean;
  /** The user's permissions in the guild, as a decimal string. */
  readonly permissions: string;
  /** The enabled features. */
  readonly features: readonly string[];
  /** About how many members there are. */
  readonly approximate_member_count?: number;
  /** About how many members are online. */
  readonly approximate_presence_count?: number;
}

/** What `GET /users/@me/guilds/{id}/member` answers. */
export interface MemberPayload {
  /** The member's avatar in this guild. */
  readonly avatar: string | null;
  /** The member's banner in this guild. */
  readonly banner: string | null;
  /** Until when the member is timed out, as an ISO 8601 time. */
  readonly communication_disabled_until: string | null;
  /** The member's flags. */
  readonly flags: number;
  /** When the member joined, as an ISO 8601 time. */
  readonly joined_at: string;
  /** The nickname in this guild. */
  readonly nick: string | null;
  /** Whether membership screening is not passed yet. */
  readonly pending: boolean;
  /** Since when the member boosts the guild, as an ISO 8601 time. */
  readonly premium_since: string | null;
  /** The ids of the member's roles. */
  readonly roles: readonly string[];
  /** The user. */
  readonly user: UserPayload;
  /** Whether muted in voice channels. */
  readonly mute: boolean;
  /** Whether deafened in voice channels. */
  readonly deaf: boolean;
  /** The avatar decoration in this guild. */
  readonly avatar_decoration_data: UserPayload["avatar_decoration_data"];
  /** The collectibles in this guild. */
  readonly collectibles: CollectiblesPayload | null;
}

/** An entry of `GET /users/@me/connections`. */
export interface ConnectionPayload {
  /** The id of the account on the other service. */
  readonly id: string;
  /** The account's name there. */
  readonly name: string;
  /** The service, for example `github`. */
  readonly type: string;
  /** Whether the connection was revoked. */
  readonly revoked: boolean;
  /** Whether the account is verified. */
  readonly verified: boolean;
  /** Whether friends are kept in step. */
  readonly friend_sync: boolean;
  /** Whether activity is shown in presence updates. */
  readonly show_activity: boolean;
  /** Whether the other service knows of the connection too. */
  readonly two_way_link: boolean;
  /** 0 nobody, 1 everybody. */
  readonly visibility: number;
}

/** What the role-connection endpoints answer. */
export interface RoleConnectionPayload {
  /** The vanity name of the connected service, up to 50 characters. */
  readonly platform_name: string | null;
  /** The user's name there, up to 100 characters. */
  readonly platform_username: string | null;
  /** Metadata values by key. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

/** The webhook that `webhook.incoming` creates. */
export interface WebhookPayload {
  /** The webhook's id. */
  readonly id: string;
  /** 1: incoming. */
  readonly type: 1;
  /** The guild it posts to. */
  readonly guild_id: string;
  /** The channel it posts to. */
  readonly channel_id: string;
  /** Its name: the application's. */
  readonly name: string;
  /** Its avatar hash. */
  readonly avatar: string | null;
  /** Its secret token. */
  readonly token: string;
  /** The application that created it. */
  readonly application_id: string;
  /** Where to post to; holds the secret token. */
  readonly url: string;
}

/** What the token endpoint answers. */
export interface TokenPayload {
  /** The access token; always starts with `fake_`. */
  readonly access_token: string;
  /** Always `Bearer`. */
  readonly token_type: "Bearer";
  /** The lifetime in seconds. */
  readonly expires_in: number;
  /** The refresh token; absent for client credentials. */
  readonly refresh_token?: string;
  /** The granted scopes, separated by spaces. */
  readonly scope: string;
  /** The guild the bot was added to, for the `bot` scope. */
  readonly guild?: GuildPayload;
  /** The webhook that was created, for the `webhook.incoming` scope. */
  readonly webhook?: WebhookPayload;
  /** The signed identity, for the `openid` scope. */
  readonly id_token?: string;
}
