/**
 * The example responses of the platform's documentation, with its fields, ids and values, and with other texts.
 *
 * @see {@link https://docs.discord.com/developers/resources/user | User},
 * {@link https://docs.discord.com/developers/resources/guild | Guild},
 * {@link https://docs.discord.com/developers/resources/entitlement | Entitlement},
 * {@link https://docs.discord.com/developers/resources/subscription | Subscription},
 * {@link https://docs.discord.com/developers/resources/lobby | Lobby},
 * {@link https://docs.discord.com/developers/topics/permissions | Permissions},
 * {@link https://docs.discord.com/developers/topics/oauth2 | OAuth2}
 *
 * @module
 */

/** The user of the user resource. */
export const exampleUser = {
  id: "80351110224678912",
  username: "Nelly",
  global_name: null,
  discriminator: "1337",
  avatar: "8342729096ea3675442027381ff50dfe",
  verified: true,
  email: "nelly@discord.com",
  flags: 64,
  banner: "06c16474723fe537c283b8efa61a30c8",
  accent_color: 16711680,
  premium_type: 0,
  public_flags: 64,
  avatar_decoration_data: {
    sku_id: "1144058844004233369",
    asset: "a_fed43ab12698df65902ba06727e20c0e",
  },
  collectibles: {
    nameplate: {
      sku_id: "2247558840304243311",
      asset: "nameplates/nameplates/twilight/",
      label: "",
      palette: "cobalt",
    },
  },
  primary_guild: {
    identity_guild_id: "1234647491267808778",
    identity_enabled: true,
    tag: "DISC",
    badge: "7d1734ae5a615e82bc7a4033b98fade8",
  },
};

/** An entry of the list of a user's guilds. */
export const exampleListEntry = {
  id: "80351110224678912",
  name: "A list entry",
  icon: "8342729096ea3675442027381ff50dfe",
  banner: "bb42bdc37653b7cf58c4c8cc622e76cb",
  owner: true,
  permissions: "36953089",
  features: ["COMMUNITY", "NEWS", "ANIMATED_ICON", "INVITE_SPLASH", "BANNER", "ROLE_ICONS"],
  approximate_member_count: 3268,
  approximate_presence_count: 784,
};

/** An unavailable guild. */
export const exampleUnavailableGuild = { id: "41771983423143937", unavailable: true };

/** A role. */
export const exampleRole = {
  id: "41771983423143936",
  name: "The documented role",
  color: 3447003,
  colors: { primary_color: 3447003, secondary_color: null, tertiary_color: null },
  hoist: true,
  icon: "cf3ced8600b777c9486c6d8d84fb4327",
  unicode_emoji: null,
  position: 1,
  permissions: "66321471",
  managed: false,
  mentionable: false,
  flags: 0,
};

/** A custom emoji, and a standard one. */
export const exampleEmojis = [
  {
    id: "41771983429993937",
    name: "LUL",
    roles: ["41771983429993000", "41771983429993111"],
    user: {
      username: "Luigi",
      discriminator: "0002",
      id: "96008815106887111",
      avatar: "5500909a3274e1812beb4e8de6631111",
      public_flags: 131328,
    },
    require_colons: true,
    managed: false,
    animated: false,
  },
  { id: null, name: "🔥" },
];

/** A sticker. */
export const exampleSticker = {
  id: "749054660769218631",
  name: "Wave",
  tags: "hello, hi, hey, welcome, wave, \ud83d\udc4b",
  type: 1,
  format_type: 3,
  description: "A person waves",
  pack_id: "847199849233514549",
  sort_value: 12,
};

/** A welcome screen. */
export const exampleWelcomeScreen = {
  description: "A place for developers",
  welcome_channels: [
    {
      channel_id: "697138785317814292",
      description: "Updates",
      emoji_id: null,
      emoji_name: "📡",
    },
    {
      channel_id: "697236247739105340",
      description: "Help with verification",
      emoji_id: null,
      emoji_name: "📸",
    },
  ],
};

/** The data of an incident. */
export const exampleIncidentsData = {
  invites_disabled_until: "2023-09-01T14:48:02.222000+00:00",
  dms_disabled_until: null,
};

/** The guild of the guild resource. */
export const exampleGuild = {
  id: "197038439483310086",
  name: "The documented community",
  icon: "f64c482b807da4f539cff778d174971c",
  description: "A place for bugs",
  splash: null,
  discovery_splash: null,
  features: ["ANIMATED_ICON", "VERIFIED", "NEWS", "VANITY_URL", "DISCOVERABLE", "MORE_EMOJI"],
  emojis: [],
  banner: "9b6439a7de04f1d26af92f84ac9e1e4a",
  owner_id: "73193882359173120",
  application_id: null,
  region: null,
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: null,
  widget_enabled: true,
  widget_channel_id: null,
  verification_level: 3,
  roles: [],
  default_message_notifications: 1,
  mfa_level: 1,
  explicit_content_filter: 2,
  max_presences: 40000,
  max_members: 250000,
  vanity_url_code: "discord-testers",
  premium_tier: 3,
  premium_subscription_count: 33,
  system_channel_flags: 0,
  preferred_locale: "en-US",
  rules_channel_id: "441688182833020939",
  public_updates_channel_id: "281283303326089216",
  safety_alerts_channel_id: "281283303326089216",
};

/** The response to the request for a guild. */
export const exampleGuildResponse = {
  id: "2909267986263572999",
  name: "The documented guild",
  icon: "389030ec9db118cb5b85a732333b7c98",
  description: null,
  splash: "75610b05a0dd09ec2c3c7df9f6975ea0",
  discovery_splash: null,
  approximate_member_count: 2,
  approximate_presence_count: 2,
  features: [
    "INVITE_SPLASH",
    "VANITY_URL",
    "COMMERCE",
    "BANNER",
    "NEWS",
    "VERIFIED",
    "VIP_REGIONS",
  ],
  emojis: [{
    name: "ultrafastparrot",
    roles: [],
    id: "393564762228785161",
    require_colons: true,
    managed: false,
    animated: true,
    available: true,
  }],
  banner: "5c3cb8d1bc159937fffe7e641ec96ca7",
  owner_id: "53908232506183680",
  application_id: null,
  region: null,
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: null,
  widget_enabled: true,
  widget_channel_id: "639513352485470208",
  verification_level: 0,
  roles: [{
    id: "2909267986263572999",
    name: "@everyone",
    permissions: "49794752",
    position: 0,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: false,
    mentionable: false,
  }],
  default_message_notifications: 1,
  mfa_level: 0,
  explicit_content_filter: 0,
  max_presences: null,
  max_members: 250000,
  max_video_channel_users: 25,
  premium_tier: 0,
  vanity_url_code: "no",
  premium_subscription_count: 0,
  system_channel_flags: 0,
  preferred_locale: "en-US",
  rules_channel_id: null,
  public_updates_channel_id: null,
  safety_alerts_channel_id: null,
};

/** The token response to a code. */
export const exampleToken = {
  access_token: "6qrZcUqja7812RVdnEKjpzOL4CvHBFG",
  token_type: "Bearer",
  expires_in: 604800,
  refresh_token: "D43f5y0ahjqew82jZ4NViEr2YafMKhue",
  scope: "identify",
};

/** The token response to client credentials. */
export const exampleClientCredentialsToken = {
  access_token: "6qrZcUqja7812RVdnEKjpzOL4CvHBFG",
  token_type: "Bearer",
  expires_in: 604800,
  scope: "identify connections",
};

/** The token response to an extended bot authorization. The permissions of its role are a number. */
export const exampleBotToken = {
  token_type: "Bearer",
  guild: {
    mfa_level: 0,
    emojis: [],
    application_id: null,
    name: "SomeTest",
    roles: [{
      hoist: false,
      name: "@everyone",
      mentionable: false,
      color: 0,
      position: 0,
      id: "290926798626357250",
      managed: false,
      permissions: 49794241,
      permissions_new: "49794241",
    }],
    afk_timeout: 300,
    system_channel_id: null,
    widget_channel_id: null,
    region: "us-east",
    default_message_notifications: 1,
    explicit_content_filter: 0,
    splash: null,
    features: [],
    afk_channel_id: null,
    widget_enabled: false,
    verification_level: 0,
    owner_id: "53908232999183680",
    id: "2909267986347357250",
    icon: null,
    description: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    rules_channel_id: null,
    max_members: 100000,
    vanity_url_code: null,
    premium_subscription_count: 0,
    premium_tier: 0,
    preferred_locale: "en-US",
    system_channel_flags: 0,
    banner: null,
    max_presences: null,
    discovery_splash: null,
    max_video_channel_users: 25,
  },
  access_token: "zMndOe7jFLXGawdlxMOdNvXjjOce5X",
  scope: "bot",
  expires_in: 604800,
  refresh_token: "mgp8qnvBwJcmadwgCYKyYD5CAzGAX4",
};

/** The token response to a login with `webhook.incoming`. */
export const exampleWebhookToken = {
  token_type: "Bearer",
  access_token: "GNaVzEtATqdh173tNHEXY9ZYAuhiYxvy",
  scope: "webhook.incoming",
  expires_in: 604800,
  refresh_token: "PvPL7ELyMDc1836457XCDh1Y8jPbRm",
  webhook: {
    application_id: "310954232226357250",
    name: "testwebhook",
    url: "https://discord.com/api/webhooks/347114750880120863/kKDdjXa1g9tKNs0-_yOwLyALC9gydEWP",
    channel_id: "345626669224982402",
    token: "kKDdjXa1g9tKNs0-_yOwLyALC9gydEWP",
    type: 1,
    avatar: null,
    guild_id: "290926792226357250",
    id: "347114750880120863",
  },
};

/** A member. Its user is an empty object. */
export const exampleMember = {
  user: {},
  nick: "A documented nickname",
  avatar: null,
  banner: null,
  roles: [],
  joined_at: "2015-04-26T06:26:56.936000+00:00",
  deaf: false,
  mute: false,
};

/** The application, scopes and user of a token. */
export const exampleAuthorization = {
  application: {
    id: "159799960412356608",
    name: "The documented application",
    icon: "f03590d3eb764081d154a66340ea7d6d",
    description: "",
    hook: true,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: "c8cde6a3c8c6e49d86af3191287b3ce255872be1fff6dc285bdb420c06a2c3c8",
  },
  scopes: ["guilds.join", "identify"],
  expires: "2021-01-23T02:33:17.017000+00:00",
  user: {
    id: "268473310986240001",
    username: "discord",
    avatar: "f749bb0cbeeb26ef21eca719337d20f1",
    discriminator: "0",
    global_name: "Discord",
    public_flags: 131072,
  },
};

/** A whole application. */
export const exampleApplication = {
  bot_public: true,
  bot_require_code_grant: false,
  cover_image: "31deabb7e45b6c8ecfef77d2f99c81a5",
  description: "Test",
  flags: 8192,
  flags_new: "8192",
  guild_id: "290926798626357260",
  icon: null,
  id: "172150183260323840",
  integration_types_config: {
    "0": {
      oauth2_install_params: { scopes: ["applications.commands", "bot"], permissions: "2048" },
    },
    "1": { oauth2_install_params: { scopes: ["applications.commands"], permissions: "0" } },
  },
  name: "The whole application",
  interactions_endpoint_url: null,
  role_connections_verification_url: null,
  event_webhooks_url: null,
  event_webhooks_status: 1,
  owner: {
    avatar: null,
    discriminator: "1738",
    flags: 1024,
    id: "172150183260323840",
    username: "i own a bot",
  },
  primary_sku_id: "172150183260323840",
  slug: "test",
  team: {
    name: "A team",
    icon: "dd9b7dcfdf5351b9c3de0fe167bacbe1",
    id: "531992624043786253",
    owner_user_id: "511972282709709995",
    members: [{
      membership_state: 2,
      permissions: ["*"],
      team_id: "531992624043786253",
      user: {
        avatar: "d9e261cd35999608eb7e3de1fae3688b",
        discriminator: "0001",
        id: "511972282709709995",
        username: "Mr Owner",
      },
    }],
  },
  verify_key: "1e0a356058d627ca38a5c8c9648818061d49e49bd9da9e3ab17d98ad4d6bg2u8",
};

/** The entitlement of the entitlement resource. */
export const exampleEntitlement = {
  id: "1019653849998299136",
  sku_id: "1019475255913222144",
  application_id: "1019370614521200640",
  user_id: "771129655544643584",
  promotion_id: null,
  type: 8,
  deleted: false,
  gift_code_flags: 0,
  consumed: false,
  starts_at: "2022-09-14T17:00:18.704163+00:00",
  ends_at: "2022-10-14T17:00:18.704163+00:00",
  guild_id: "1015034326372454400",
  subscription_id: "1019653835926409216",
};

/** The subscription of the subscription resource. */
export const exampleSubscription = {
  id: "1278078770116427839",
  user_id: "1088605110638227537",
  sku_ids: ["1158857122189168803"],
  entitlement_ids: [],
  renewal_sku_ids: null,
  current_period_start: "2024-08-27T19:48:44.406602+00:00",
  current_period_end: "2024-09-27T19:48:44.406602+00:00",
  status: 0,
  canceled_at: null,
};

/** The lobby of the lobby resource. */
export const exampleLobby = {
  id: "96008815106887111",
  application_id: "41771983429993937",
  metadata: { topic: "we need more redstone" },
  members: [{
    id: "41771983429993000",
    metadata: null,
    flags: 1,
    additional_name: "Twindly Shimmerleaf",
  }],
};

/** The guild text channel of the channel resource. */
export const exampleChannel = {
  id: "41771983423143937",
  guild_id: "41771983423143937",
  name: "general",
  type: 0,
  position: 6,
  permission_overwrites: [],
  rate_limit_per_user: 2,
  nsfw: true,
  topic: "24/7 chat about how to gank Mike #2",
  last_message_id: "155117677105512449",
  parent_id: "399942396007890945",
  default_auto_archive_duration: 60,
};

/** A command with the documented fields, and with those of the example of a slash command. */
export const exampleCommand = {
  id: "866818195033292851",
  application_id: "775799577604522054",
  version: "847194950382780532",
  default_member_permissions: null,
  type: 1,
  name: "blep",
  description: "Send a random adorable animal photo",
  options: [{
    name: "animal",
    description: "The type of animal",
    type: 3,
    required: true,
    choices: [
      { name: "Dog", value: "animal_dog" },
      { name: "Cat", value: "animal_cat" },
      { name: "Penguin", value: "animal_penguin" },
    ],
  }],
};

/** The permissions of a command, with the documented fields. */
export const exampleCommandPermissions = {
  id: "866818195033292851",
  application_id: "775799577604522054",
  guild_id: "290926798626357999",
  permissions: [{ id: "290926798626357999", type: 1, permission: false }],
};

/** A message of a lobby, with the documented fields. */
export const exampleLobbyMessage = {
  id: "1234567890123456789",
  type: 0,
  content: "Welcome to the lobby!",
  lobby_id: "96008815106887111",
  channel_id: "96008815106887111",
  author: exampleUser,
  flags: 65536,
  application_id: "41771983429993937",
};
