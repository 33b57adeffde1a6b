import type {
  APIEmoji,
  APIGuild,
  APIGuildWelcomeScreen,
  APIGuildWelcomeScreenChannel,
  APIRole,
  APISticker,
  APIUser,
  APIWebhook,
  RESTAPIPartialCurrentUserGuild,
  RESTGetAPICurrentUserResult,
  RESTGetAPIGuildResult,
  RESTPostOAuth2AccessTokenResult,
} from "discord-api-types/v10";
import { describe, expectTypeOf, test } from "vitest";
import type {
  EmojiObj,
  GuildObj,
  PartialGuildObj,
  RoleObj,
  StickerObj,
  TokenObj,
  UserObj,
  WebhookObj,
  WelcomeChannelObj,
  WelcomeScreenObj,
} from "../../mod.ts";

/** A decimal string for `new Permissions(…)`. */
type Decimal = `${bigint}`;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

describe("UserObj", () => {
  test("has the 17 properties of the specification, and their types, read-only", () => {
    expectTypeOf<UserObj>().toEqualTypeOf<{
      readonly id: string;
      readonly username: string;
      readonly discriminator: string | null;
      readonly global_name: string | null;
      readonly avatar: string | null;
      readonly bot: boolean;
      readonly system: boolean;
      readonly mfa_enabled: boolean | null;
      readonly banner: string | null;
      readonly accent_color: number | null;
      readonly locale: string | null;
      readonly verified: boolean | null;
      readonly email: string | null;
      readonly flags: number | null;
      readonly premium_type: number | null;
      readonly public_flags: number | null;
      readonly avatar_decoration: string | null;
    }>();
  });

  test("can't be changed", () => {
    const change = (user: UserObj): void => {
      // @ts-expect-error every property is read-only
      user.id = "1";
      // @ts-expect-error and can't be taken away
      delete user.email;
    };
    expectTypeOf(change).toBeFunction();
  });

  test("takes every field as discord-api-types has it", () => {
    expectTypeOf<RESTGetAPICurrentUserResult>().toEqualTypeOf<APIUser>();
    expectTypeOf<Misfits<APIUser, UserObj>>().toBeNever();
    expectTypeOf<Exclude<keyof UserObj, keyof APIUser>>().toBeNever();
  });

  test("is null where the platform may send nothing, apart from what then means false", () => {
    expectTypeOf<WithoutNull<APIUser, UserObj>>().toEqualTypeOf<"bot" | "system">();
  });

  test("lets through what it does not list", () => {
    expectTypeOf<Exclude<keyof APIUser, keyof UserObj>>()
      .toEqualTypeOf<"avatar_decoration_data" | "collectibles" | "primary_guild">();
  });
});

describe("GuildObj", () => {
  test("has the 44 properties of the specification, and their types, read-only", () => {
    expectTypeOf<GuildObj>().toEqualTypeOf<{
      readonly id: string;
      readonly name: string;
      readonly icon: string | null;
      readonly icon_url: string | null;
      readonly splash: string | null;
      readonly discovery_splash: string | null;
      readonly owner: boolean | null;
      readonly owner_id: string | null;
      readonly permissions: Decimal | null;
      readonly perms: Decimal | null;
      readonly region: string | null;
      readonly afk_channel_id: string | null;
      readonly afk_timeout: number | null;
      readonly widget_enabled: boolean | null;
      readonly widget_channel_id: string | null;
      readonly verification_level: number | null;
      readonly default_message_notifications: number | null;
      readonly explicit_content_filter: number | null;
      readonly roles: readonly RoleObj[] | null;
      readonly emojis: readonly EmojiObj[] | null;
      readonly features: readonly string[] | null;
      readonly mfa_level: number | null;
      readonly application_id: string | null;
      readonly system_channel_id: string | null;
      readonly system_channel_flags: number | null;
      readonly rules_channel_id: string | null;
      readonly max_presences: number | null;
      readonly max_members: number | null;
      readonly vanity_url_code: string | null;
      readonly description: string | null;
      readonly banner: string | null;
      readonly premium_tier: number | null;
      readonly premium_subscription_count: number | null;
      readonly preferred_locale: string | null;
      readonly public_updates_channel_id: string | null;
      readonly max_video_channel_users: number | null;
      readonly max_stage_video_channel_users: number | null;
      readonly approximate_member_count: number | null;
      readonly approximate_presence_count: number | null;
      readonly welcome_screen: WelcomeScreenObj | null;
      readonly nsfw_level: number | null;
      readonly stickers: readonly StickerObj[] | null;
      readonly premium_progress_bar_enabled: boolean | null;
      readonly safety_alerts_channel_id: string | null;
    }>();
  });

  test("can't be changed, at any depth", () => {
    const change = (guild: GuildObj): void => {
      // @ts-expect-error every property is read-only
      guild.name = "Looms";
      // @ts-expect-error and so is every list
      guild.roles?.pop();
      // @ts-expect-error and so is every entry
      guild.features?.fill("COMMUNITY");
      const [role] = guild.roles ?? [];
      // @ts-expect-error and so is all that an entry has
      if (role) role.name = "Weavers";
      // @ts-expect-error known to us or not
      if (role) role["color"] = 0;
    };
    expectTypeOf(change).toBeFunction();
  });

  test("takes every field as discord-api-types has it", () => {
    expectTypeOf<RESTGetAPIGuildResult>().toEqualTypeOf<APIGuild>();
    expectTypeOf<Misfits<APIGuild, GuildObj>>().toBeNever();
  });

  test("adds no more than the URL of the icon and a short name for the permissions", () => {
    expectTypeOf<Exclude<keyof GuildObj, keyof APIGuild>>()
      .toEqualTypeOf<"icon_url" | "perms">();
  });

  test("is null where the platform may send nothing", () => {
    expectTypeOf<WithoutNull<APIGuild, GuildObj>>().toBeNever();
  });

  test("lets through what it does not list", () => {
    expectTypeOf<Exclude<keyof APIGuild, keyof GuildObj>>()
      .toEqualTypeOf<"hub_type" | "icon_hash" | "incidents_data">();
  });
});

describe("PartialGuildObj", () => {
  test("has what the list of guilds has, read-only", () => {
    expectTypeOf<PartialGuildObj>().toEqualTypeOf<{
      readonly id: string;
      readonly name: string;
      readonly icon: string | null;
      readonly icon_url: string | null;
      readonly banner: string | null;
      readonly owner: boolean | null;
      readonly permissions: Decimal | null;
      readonly perms: Decimal | null;
      readonly features: readonly string[] | null;
      readonly approximate_member_count: number | null;
      readonly approximate_presence_count: number | null;
    }>();
  });

  test("takes every field as discord-api-types has it, and leaves none out", () => {
    expectTypeOf<Misfits<RESTAPIPartialCurrentUserGuild, PartialGuildObj>>().toBeNever();
    expectTypeOf<WithoutNull<RESTAPIPartialCurrentUserGuild, PartialGuildObj>>().toBeNever();
    expectTypeOf<keyof PartialGuildObj>()
      .toEqualTypeOf<keyof RESTAPIPartialCurrentUserGuild | "icon_url" | "perms">();
  });

  test("is part of a GuildObj", () => {
    expectTypeOf<GuildObj>().toExtend<PartialGuildObj>();
  });
});

describe("what a guild holds", () => {
  test("takes every field as discord-api-types has it", () => {
    expectTypeOf<Misfits<APIRole, Known<RoleObj>>>().toBeNever();
    expectTypeOf<Misfits<APIEmoji, Known<EmojiObj>>>().toBeNever();
    expectTypeOf<Misfits<APISticker, Known<StickerObj>>>().toBeNever();
    expectTypeOf<Misfits<APIGuildWelcomeScreen, Known<WelcomeScreenObj>>>().toBeNever();
    expectTypeOf<Misfits<APIGuildWelcomeScreenChannel, Known<WelcomeChannelObj>>>().toBeNever();
  });

  test("lists no field that the platform may leave out", () => {
    expectTypeOf<WithoutNull<APIRole, Known<RoleObj>>>().toBeNever();
    expectTypeOf<WithoutNull<APIEmoji, Known<EmojiObj>>>().toBeNever();
    expectTypeOf<WithoutNull<APISticker, Known<StickerObj>>>().toBeNever();
    expectTypeOf<WithoutNull<APIGuildWelcomeScreen, Known<WelcomeScreenObj>>>().toBeNever();
    expectTypeOf<WithoutNull<APIGuildWelcomeScreenChannel, Known<WelcomeChannelObj>>>()
      .toBeNever();
  });

  test("is read-only", () => {
    expectTypeOf<RoleObj>().toEqualTypeOf<Readonly<RoleObj>>();
    expectTypeOf<EmojiObj>().toEqualTypeOf<Readonly<EmojiObj>>();
    expectTypeOf<StickerObj>().toEqualTypeOf<Readonly<StickerObj>>();
    expectTypeOf<WelcomeScreenObj>().toEqualTypeOf<Readonly<WelcomeScreenObj>>();
    expectTypeOf<WelcomeScreenObj["welcome_channels"]>()
      .toEqualTypeOf<readonly WelcomeChannelObj[]>();
    expectTypeOf<WelcomeChannelObj>().toEqualTypeOf<Readonly<WelcomeChannelObj>>();
    expectTypeOf<WebhookObj>().toEqualTypeOf<Readonly<WebhookObj>>();
  });

  test("gives what is not listed as unknown", () => {
    expectTypeOf<RoleObj["color"]>().toBeUnknown();
    expectTypeOf<EmojiObj["animated"]>().toBeUnknown();
    expectTypeOf<StickerObj["tags"]>().toBeUnknown();
  });
});

describe("TokenObj", () => {
  test("has what a token answer has, and more, read-only", () => {
    expectTypeOf<TokenObj>().toEqualTypeOf<{
      readonly access_token: string;
      readonly token_type: string;
      readonly expires_in: number;
      readonly expires_at: number;
      readonly refresh_token: string | null;
      readonly scope: string;
      readonly scopes: readonly string[];
      readonly guild: GuildObj | null;
      readonly webhook: WebhookObj | null;
      readonly id_token: string | null;
    }>();
    expectTypeOf<Misfits<RESTPostOAuth2AccessTokenResult, TokenObj>>().toBeNever();
    expectTypeOf<Exclude<keyof RESTPostOAuth2AccessTokenResult, keyof TokenObj>>().toBeNever();
    expectTypeOf<Misfits<APIWebhook, Known<WebhookObj>>>().toBeNever();
  });
});

describe("every model", () => {
  test("is plain data", () => {
    expectTypeOf<UserObj[keyof UserObj]>().toExtend<Json>();
    expectTypeOf<Exclude<PartialGuildObj[keyof PartialGuildObj], Json>>().toBeNever();
    type Held = RoleObj | EmojiObj | StickerObj | WelcomeScreenObj;
    expectTypeOf<Exclude<GuildObj[keyof GuildObj], Json>>()
      .toExtend<Held | readonly Held[]>();
  });
});

/** The fields that both have, and that ours does not take as theirs has it. */
type Misfits<Theirs, Ours> = {
  [Key in keyof Theirs & keyof Ours]-?: Sent<Theirs[Key]> extends Checked<Ours[Key]> ? never : Key;
}[keyof Theirs & keyof Ours];

/** The fields that the platform may leave out or send as null, and that are never null in ours. */
type WithoutNull<Theirs, Ours> = {
  [Key in keyof Theirs & keyof Ours]-?: undefined extends Theirs[Key]
    ? (null extends Ours[Key] ? never : Key)
    : null extends Theirs[Key] ? (null extends Ours[Key] ? never : Key)
    : never;
}[keyof Theirs & keyof Ours];

/** An interface has no index signature, a mapped type has an implicit one: the same fields, at any depth. */
type Sent<Value> = Value extends undefined ? never
  : Value extends readonly (infer Entry)[] ? Sent<Entry>[]
  : Value extends object ? { [Key in keyof Value]: Sent<Value[Key]> }
  : Value;

/** Decimal strings are checked when they come, so any string may be sent for one. */
type Checked<Value> = Value extends Decimal ? string
  : Value extends readonly (infer Entry)[] ? readonly Checked<Entry>[]
  : Value extends object ? { [Key in keyof Value]: Checked<Value[Key]> }
  : Value;

/** The fields with a name, without those that pass through. */
type Known<Model> = {
  [Key in keyof Model as string extends Key ? never : Key]: Model[Key];
};
