import type {
  APIApplication,
  APIApplicationInstallParams,
  APIApplicationRoleConnection,
  APIApplicationRoleConnectionMetadata,
  APIConnection,
  APIEmoji,
  APIGuild,
  APIGuildIntegration,
  APIGuildMember,
  APIGuildWelcomeScreen,
  APIGuildWelcomeScreenChannel,
  APIRole,
  APIRoleTags,
  APISticker,
  APIUser,
  APIWebhook,
  RESTAPIPartialCurrentUserGuild,
  RESTGetAPICurrentUserResult,
  RESTGetAPIGuildResult,
  RESTGetAPIOAuth2CurrentAuthorizationResult,
  RESTGetCurrentUserGuildMemberResult,
  RESTPostOAuth2AccessTokenResult,
  RESTPutAPIApplicationRoleConnectionMetadataResult,
  RESTPutAPICurrentUserApplicationRoleConnectionResult,
  RESTPutAPIGuildMemberResult,
} from "discord-api-types/v10";
import { describe, expectTypeOf, test } from "vitest";
import type {
  ApplicationObj,
  AuthorizationObj,
  AvatarDecorationDataObj,
  CollectiblesObj,
  ConnectionIntegrationObj,
  ConnectionObj,
  EmojiObj,
  GrantedScopes,
  GuildObj,
  InstallParamsObj,
  IntegrationTypeConfigObj,
  MemberObj,
  PartialGuildObj,
  PrimaryGuildObj,
  RoleColorsObj,
  RoleConnectionMetadataObj,
  RoleConnectionObj,
  RoleObj,
  RoleTagsObj,
  StickerObj,
  TokenObj,
  UserInfoObj,
  UserObj,
  WebhookObj,
  WelcomeChannelObj,
  WelcomeScreenObj,
} from "../../mod.ts";

/** A decimal string for `new Permissions(…)`. */
type Decimal = `${bigint}`;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

describe("UserObj", () => {
  test("has all its properties, and their types, read-only", () => {
    expectTypeOf<UserObj>().toEqualTypeOf<{
      readonly id: string;
      readonly username: string;
      readonly discriminator: string | null;
      readonly global_name: string | null;
      readonly avatar: string | null;
      readonly avatar_url: string;
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
      readonly avatar_decoration_data: AvatarDecorationDataObj | null;
      readonly collectibles: CollectiblesObj | null;
      readonly primary_guild: PrimaryGuildObj | null;
    }>();
  });

  test("is read-only", () => {
    const change = (user: UserObj): void => {
      // @ts-expect-error every property is read-only
      user.id = "1";
      // @ts-expect-error and can't be taken away
      delete user.email;
    };
    expectTypeOf(change).toBeFunction();
  });

  test("has the types of discord-api-types", () => {
    expectTypeOf<RESTGetAPICurrentUserResult>().toEqualTypeOf<APIUser>();
    expectTypeOf<Misfits<APIUser, UserObj>>().toBeNever();
    expectTypeOf<Exclude<keyof UserObj, keyof APIUser>>().toEqualTypeOf<"avatar_url">();
  });

  test("is nullable for fields that the platform may leave out, apart from bot and system", () => {
    expectTypeOf<WithoutNull<APIUser, UserObj>>().toEqualTypeOf<"bot" | "system">();
  });

  test("has every field of discord-api-types", () => {
    expectTypeOf<Exclude<keyof APIUser, keyof UserObj>>().toBeNever();
  });

  test("has the fields of the primary guild, and no misspelt one", () => {
    const read = (user: UserObj): unknown => [
      user.primary_guild?.tag,
      user.collectibles?.nameplate?.palette,
      // @ts-expect-error there is no such field
      user.primary_gild,
      // @ts-expect-error nor here
      user.primary_guild?.tga,
    ];
    expectTypeOf(read).toBeFunction();
  });
});

describe("GuildObj", () => {
  test("is read-only at any depth", () => {
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
      // @ts-expect-error and all that an entry holds
      if (role?.colors) role.colors.primary_color = 0;
    };
    expectTypeOf(change).toBeFunction();
  });

  test("has the types of discord-api-types", () => {
    expectTypeOf<RESTGetAPIGuildResult>().toEqualTypeOf<APIGuild>();
    expectTypeOf<Misfits<APIGuild, GuildObj>>().toEqualTypeOf<"roles">();
  });

  test("is nullable for fields that the platform may leave out", () => {
    expectTypeOf<WithoutNull<APIGuild, GuildObj>>().toBeNever();
  });

  test("has every field of discord-api-types", () => {
    expectTypeOf<Exclude<keyof APIGuild, keyof GuildObj>>().toBeNever();
  });
});

describe("PartialGuildObj", () => {
  test("has every field of discord-api-types with its type", () => {
    expectTypeOf<Misfits<RESTAPIPartialCurrentUserGuild, PartialGuildObj>>().toBeNever();
    expectTypeOf<WithoutNull<RESTAPIPartialCurrentUserGuild, PartialGuildObj>>().toBeNever();
    expectTypeOf<keyof PartialGuildObj>()
      .toEqualTypeOf<keyof RESTAPIPartialCurrentUserGuild | "icon_url" | "perms">();
  });

  test("is part of a GuildObj", () => {
    expectTypeOf<GuildObj>().toExtend<PartialGuildObj>();
  });
});

describe("a part of a guild", () => {
  test("has the types of discord-api-types", () => {
    expectTypeOf<Misfits<APIRole, RoleObj>>().toEqualTypeOf<"tags">();
    expectTypeOf<Misfits<APIRoleTags, RoleTagsObj>>().toEqualTypeOf<PresenceTag>();
    expectTypeOf<Misfits<APIEmoji, EmojiObj>>().toBeNever();
    expectTypeOf<Misfits<APISticker, StickerObj>>().toBeNever();
    expectTypeOf<Misfits<APIGuildWelcomeScreen, WelcomeScreenObj>>().toBeNever();
    expectTypeOf<Misfits<APIGuildWelcomeScreenChannel, WelcomeChannelObj>>().toBeNever();
  });

  test("has every field of discord-api-types", () => {
    expectTypeOf<Exclude<keyof APIRole, keyof RoleObj>>().toBeNever();
    expectTypeOf<Exclude<keyof APIRoleTags, keyof RoleTagsObj>>().toBeNever();
    expectTypeOf<Exclude<keyof APIEmoji, keyof EmojiObj>>().toBeNever();
    // The platform has deprecated it.
    expectTypeOf<Exclude<keyof APISticker, keyof StickerObj>>().toEqualTypeOf<"asset">();
    expectTypeOf<Exclude<keyof APIGuildWelcomeScreen, keyof WelcomeScreenObj>>().toBeNever();
    expectTypeOf<Exclude<keyof APIGuildWelcomeScreenChannel, keyof WelcomeChannelObj>>()
      .toBeNever();
  });

  test("is nullable for fields that the platform may leave out, apart from the flags of a role", () => {
    expectTypeOf<WithoutNull<APIRole, RoleObj>>().toBeNever();
    expectTypeOf<WithoutNull<APIRoleTags, RoleTagsObj>>().toEqualTypeOf<PresenceTag>();
    expectTypeOf<WithoutNull<APIEmoji, EmojiObj>>().toBeNever();
    expectTypeOf<WithoutNull<APISticker, StickerObj>>().toBeNever();
    expectTypeOf<WithoutNull<APIGuildWelcomeScreen, WelcomeScreenObj>>().toBeNever();
    expectTypeOf<WithoutNull<APIGuildWelcomeScreenChannel, WelcomeChannelObj>>().toBeNever();
  });

  test("is read-only", () => {
    expectTypeOf<RoleObj>().toEqualTypeOf<Readonly<RoleObj>>();
    expectTypeOf<RoleColorsObj>().toEqualTypeOf<Readonly<RoleColorsObj>>();
    expectTypeOf<RoleTagsObj>().toEqualTypeOf<Readonly<RoleTagsObj>>();
    expectTypeOf<EmojiObj>().toEqualTypeOf<Readonly<EmojiObj>>();
    expectTypeOf<StickerObj>().toEqualTypeOf<Readonly<StickerObj>>();
    expectTypeOf<WelcomeScreenObj>().toEqualTypeOf<Readonly<WelcomeScreenObj>>();
    expectTypeOf<WelcomeScreenObj["welcome_channels"]>()
      .toEqualTypeOf<readonly WelcomeChannelObj[] | null>();
    expectTypeOf<WelcomeChannelObj>().toEqualTypeOf<Readonly<WelcomeChannelObj>>();
    expectTypeOf<WebhookObj>().toEqualTypeOf<Readonly<WebhookObj>>();
  });

  test("has no undocumented field", () => {
    const read = (role: RoleObj, emoji: EmojiObj, sticker: StickerObj): unknown => [
      // @ts-expect-error a misspelt name does not compile
      role.nmae,
      // @ts-expect-error nor does a field of another object
      emoji.color,
      // @ts-expect-error nor an unknown one
      sticker["new"],
    ];
    expectTypeOf(read).toBeFunction();
  });
});

describe("TokenObj", () => {
  test("has the fields of a token response and those built from them, read-only", () => {
    expectTypeOf<Omit<TokenObj, keyof GrantedScopes<never>>>().toEqualTypeOf<{
      readonly access_token: string;
      readonly token_type: string;
      readonly expires_in: number | null;
      readonly expires_at: number | null;
      readonly refresh_token: string | null;
      readonly scope: string;
      readonly scopes: readonly string[];
      readonly guild: GuildObj | null;
      readonly webhook: WebhookObj | null;
      readonly id_token: string | null;
    }>();
    expectTypeOf<Misfits<RESTPostOAuth2AccessTokenResult, TokenObj>>().toBeNever();
    expectTypeOf<Exclude<keyof RESTPostOAuth2AccessTokenResult, keyof TokenObj>>().toBeNever();
    expectTypeOf<Misfits<APIWebhook, WebhookObj>>().toBeNever();
    expectTypeOf<Exclude<keyof APIWebhook, keyof WebhookObj>>()
      .toEqualTypeOf<"source_guild" | "source_channel">();
  });
});

describe("MemberObj", () => {
  test("has all its properties, and their types, read-only", () => {
    expectTypeOf<MemberObj>().toEqualTypeOf<{
      readonly user: UserObj | null;
      readonly nick: string | null;
      readonly avatar: string | null;
      readonly banner: string | null;
      readonly roles: readonly string[] | null;
      readonly joined_at: string | null;
      readonly premium_since: string | null;
      readonly deaf: boolean | null;
      readonly mute: boolean | null;
      readonly flags: number | null;
      readonly pending: boolean | null;
      readonly permissions: Decimal | null;
      readonly communication_disabled_until: string | null;
      readonly avatar_decoration_data: AvatarDecorationDataObj | null;
      readonly collectibles: CollectiblesObj | null;
    }>();
  });

  test("has every field of discord-api-types with its type", () => {
    expectTypeOf<RESTGetCurrentUserGuildMemberResult>().toEqualTypeOf<APIGuildMember>();
    expectTypeOf<RESTPutAPIGuildMemberResult>().toEqualTypeOf<APIGuildMember | undefined>();
    expectTypeOf<Misfits<APIGuildMember, MemberObj>>().toBeNever();
    expectTypeOf<WithoutNull<APIGuildMember, MemberObj>>().toBeNever();
    // Sent with interactions, and with this list of the platform's own description.
    expectTypeOf<Exclude<keyof MemberObj, keyof APIGuildMember>>().toEqualTypeOf<"permissions">();
    expectTypeOf<Exclude<keyof APIGuildMember, keyof MemberObj>>().toBeNever();
  });
});

describe("ConnectionObj", () => {
  test("has every field of discord-api-types with its type", () => {
    expectTypeOf<Misfits<APIConnection, ConnectionObj>>().toBeNever();
    expectTypeOf<WithoutNull<APIConnection, ConnectionObj>>().toBeNever();
    expectTypeOf<keyof ConnectionObj>().toEqualTypeOf<keyof APIConnection>();
    expectTypeOf<ConnectionObj>().toEqualTypeOf<Readonly<ConnectionObj>>();
    expectTypeOf<ConnectionObj["id" | "type"]>().toEqualTypeOf<string>();
    expectTypeOf<Misfits<APIGuildIntegration, ConnectionIntegrationObj>>().toBeNever();
  });
});

describe("AuthorizationObj", () => {
  test("has all its properties, and their types, read-only", () => {
    expectTypeOf<AuthorizationObj>().toEqualTypeOf<{
      readonly application: ApplicationObj;
      readonly scopes: readonly string[] | null;
      readonly expires: string | null;
      readonly user: UserObj | null;
    }>();
  });

  test("has every field of discord-api-types with its type", () => {
    type Theirs = RESTGetAPIOAuth2CurrentAuthorizationResult;
    expectTypeOf<Misfits<Omit<Theirs, "application">, AuthorizationObj>>().toBeNever();
    expectTypeOf<WithoutNull<Theirs, AuthorizationObj>>().toBeNever();
    expectTypeOf<keyof AuthorizationObj>().toEqualTypeOf<keyof Theirs>();
  });

  test("has the public fields of the application", () => {
    expectTypeOf<Misfits<APIApplication, ApplicationObj>>().toBeNever();
    expectTypeOf<WithoutNull<APIApplication, ApplicationObj>>().toBeNever();
    // The platform's own description has them, and the list of discord-api-types does not.
    expectTypeOf<Exclude<keyof ApplicationObj, keyof APIApplication>>()
      .toEqualTypeOf<"type" | "max_participants">();
    // What only its owner may see, and an empty text.
    expectTypeOf<Exclude<keyof APIApplication, keyof ApplicationObj>>().toEqualTypeOf<
      | "approximate_guild_count"
      | "approximate_user_authorization_count"
      | "approximate_user_install_count"
      | "event_webhooks_status"
      | "event_webhooks_types"
      | "event_webhooks_url"
      | "guild"
      | "interactions_endpoint_url"
      | "owner"
      | "redirect_uris"
      | "role_connections_verification_url"
      | "summary"
      | "team"
    >();
    expectTypeOf<keyof InstallParamsObj>().toEqualTypeOf<keyof APIApplicationInstallParams>();
    expectTypeOf<IntegrationTypeConfigObj["oauth2_install_params"]>()
      .toEqualTypeOf<InstallParamsObj | null>();
  });
});

describe("UserInfoObj", () => {
  test("has all its properties, and their types, read-only", () => {
    expectTypeOf<UserInfoObj>().toEqualTypeOf<{
      readonly sub: string | null;
      readonly email: string | null;
      readonly email_verified: boolean | null;
      readonly preferred_username: string | null;
      readonly nickname: string | null;
      readonly picture: string | null;
      readonly locale: string | null;
    }>();
  });
});

describe("RoleConnectionObj and RoleConnectionMetadataObj", () => {
  test("have all their properties, and their types, read-only", () => {
    type Texts = Readonly<Record<string, string>>;
    expectTypeOf<RoleConnectionObj>().toEqualTypeOf<{
      readonly platform_name: string | null;
      readonly platform_username: string | null;
      readonly metadata: Texts | null;
    }>();
    expectTypeOf<RoleConnectionMetadataObj>().toEqualTypeOf<{
      readonly key: string;
      readonly type: number | null;
      readonly name: string | null;
      readonly name_localizations: Texts | null;
      readonly description: string | null;
      readonly description_localizations: Texts | null;
    }>();
  });

  test("have every field of discord-api-types with its type", () => {
    expectTypeOf<RESTPutAPICurrentUserApplicationRoleConnectionResult>()
      .toEqualTypeOf<APIApplicationRoleConnection>();
    // A number among the values becomes text.
    expectTypeOf<Misfits<APIApplicationRoleConnection, RoleConnectionObj>>()
      .toEqualTypeOf<"metadata">();
    expectTypeOf<keyof RoleConnectionObj>().toEqualTypeOf<keyof APIApplicationRoleConnection>();
    expectTypeOf<RESTPutAPIApplicationRoleConnectionMetadataResult>()
      .toEqualTypeOf<APIApplicationRoleConnectionMetadata[]>();
    expectTypeOf<WithoutNull<APIApplicationRoleConnectionMetadata, RoleConnectionMetadataObj>>()
      .toBeNever();
    expectTypeOf<keyof RoleConnectionMetadataObj>()
      .toEqualTypeOf<keyof APIApplicationRoleConnectionMetadata>();
  });
});

describe("every model", () => {
  test("is plain data", () => {
    expectTypeOf<Sent<UserObj[keyof UserObj]>>().toExtend<Json>();
    expectTypeOf<Sent<GuildObj[keyof GuildObj]>>().toExtend<Json>();
    expectTypeOf<Sent<TokenObj[keyof TokenObj]>>().toExtend<Json>();
    expectTypeOf<Sent<MemberObj[keyof MemberObj]>>().toExtend<Json>();
    expectTypeOf<Sent<ConnectionObj[keyof ConnectionObj]>>().toExtend<Json>();
    expectTypeOf<Sent<AuthorizationObj[keyof AuthorizationObj]>>().toExtend<Json>();
    expectTypeOf<Sent<UserInfoObj[keyof UserInfoObj]>>().toExtend<Json>();
    expectTypeOf<Sent<RoleConnectionObj[keyof RoleConnectionObj]>>().toExtend<Json>();
    expectTypeOf<Sent<RoleConnectionMetadataObj[keyof RoleConnectionMetadataObj]>>()
      .toExtend<Json>();
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

/** A value as the platform may send it, with every field, and any string for a decimal string. */
type Checked<Value> = Value extends Decimal ? string
  : Value extends readonly (infer Entry)[] ? readonly Checked<Entry>[]
  : Value extends object ? { [Key in keyof Value]?: Checked<Value[Key]> }
  : Value;

/** The tags that the platform sends as null for yes and leaves out for no. */
type PresenceTag = "premium_subscriber" | "available_for_purchase" | "guild_connections";
