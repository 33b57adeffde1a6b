/**
 * Defines the default application, users and guilds of a fake platform.
 *
 * @module
 */

import type { FakeApplication } from "./application.ts";
import type { FakeGuild } from "./guild.ts";
import type { FakeUser } from "./user.ts";

/**
 * The default application of a fake platform: a confidential client with a bot. Its redirect URIs are
 * `https://app.example/callback`, and every `http` address of this machine, such as `http://localhost:3000/callback`.
 *
 * @example
 * ```ts
 * import {
 *   createFakePlatform,
 *   sampleApplication,
 * } from "@guildpass/sdk/testing";
 *
 * // Another redirect URI:
 * createFakePlatform({
 *   applications: [{
 *     ...sampleApplication,
 *     redirectUris: ["https://shop.example/login"],
 *   }],
 * });
 * ```
 */
export const sampleApplication: FakeApplication & {
  readonly secret: string;
  readonly redirectUris: readonly string[];
  readonly botToken: string;
} = {
  id: "1100000000000000001",
  name: "Lantern",
  description: "Lights the way to the right channel.",
  icon: "5f1f2c7de6a94d9fb3a64c9e0b7d1a01",
  secret: "fake_secret_of_the_sample_application",
  redirectUris: [
    "http://localhost:8787/callback",
    "https://app.example/callback",
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
  ],
  // The first part of a bot token is the id in base64: some clients read the id from the token.
  botToken: "MTEwMDAwMDAwMDAwMDAwMDAwMQ.fake.bot_token_of_the_sample_application",
};

/**
 * The default users of a fake platform: `ada` with all fields, and `grace` without the optional fields.
 */
export const sampleUsers: readonly [FakeUser, FakeUser] = [
  {
    id: "1000000000000000001",
    username: "ada",
    global_name: "Ada Lovelace",
    avatar: "a_0b1c2d3e4f5061728394a5b6c7d8e901",
    banner: "7d8e9f00112233445566778899aabb01",
    accent_color: 0x5b4bdb,
    locale: "en-GB",
    mfa_enabled: true,
    email: "ada@example.com",
    verified: true,
    flags: 64,
    public_flags: 64,
    premium_type: 2,
    avatar_decoration_data: {
      asset: "a_fed43ab12698df65902ba06727e20c0e",
      sku_id: "1144058522808614923",
    },
    primary_guild: {
      identity_guild_id: "1200000000000000001",
      identity_enabled: true,
      tag: "LOOM",
      badge: "3b1c2d3e4f5061728394a5b6c7d8e902",
    },
    connections: [
      { id: "1815", name: "ada-lovelace", type: "github", verified: true, visibility: 1 },
    ],
  },
  { id: "1000000000000000002", username: "grace" },
];

/**
 * The default guilds of a fake platform. Both sample users are members of all guilds except the last, with different permissions
 * in each. The sample application's bot is in the first guild.
 */
export const sampleGuilds: readonly [FakeGuild, FakeGuild, FakeGuild, FakeGuild, FakeGuild] = [
  {
    id: "1200000000000000001",
    name: "The Analytical Engine",
    icon: "a_1c2d3e4f5061728394a5b6c7d8e9f001",
    banner: "2d3e4f5061728394a5b6c7d8e9f00101",
    description: "Cogs, cards and programs.",
    features: ["COMMUNITY", "ANIMATED_ICON", "WELCOME_SCREEN_ENABLED"],
    premium_tier: 2,
    premium_subscription_count: 9,
    system_channel_id: "1200000000000000101",
    rules_channel_id: "1200000000000000102",
    public_updates_channel_id: "1200000000000000103",
    approximate_member_count: 1843,
    approximate_presence_count: 312,
    emojis: [{
      id: "1200000000000000301",
      name: "cog",
      roles: [],
      require_colons: true,
      managed: false,
      animated: false,
      available: true,
    }],
    stickers: [{
      id: "1200000000000000401",
      name: "Punched card",
      description: null,
      tags: "card",
      type: 2,
      format_type: 1,
      available: true,
      guild_id: "1200000000000000001",
    }],
    members: { "1000000000000000001": { owner: true }, "1000000000000000002": {} },
    bots: { "1100000000000000001": "1024" },
  },
  {
    id: "1200000000000000002",
    name: "Compiler Café",
    icon: "3e4f5061728394a5b6c7d8e9f0010203",
    description: "Bugs, moths and coffee.",
    features: ["COMMUNITY"],
    roles: [{ id: "1200000000000000201", name: "Crew" }],
    members: {
      "1000000000000000001": { permissions: "8", roles: ["1200000000000000201"] },
      "1000000000000000002": { owner: true },
    },
  },
  {
    id: "1200000000000000003",
    name: "Night Sky",
    icon: "4f5061728394a5b6c7d8e9f001020304",
    members: {
      "1000000000000000001": { permissions: "268435494", nick: "Ada (mod)" },
      "1000000000000000002": { permissions: "32" },
    },
  },
  {
    id: "1200000000000000004",
    name: "Knitting & <Yarn>",
    members: { "1000000000000000001": {}, "1000000000000000002": { permissions: "0" } },
  },
  { id: "1200000000000000005", name: "Another Owner's", icon: "5061728394a5b6c7d8e9f00102030405" },
];
