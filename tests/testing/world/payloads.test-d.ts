import type * as discordTypes from "discord-api-types/v10";
import { describe, expectTypeOf, test } from "vitest";
import type {
  ConnectionPayload,
  GuildPayload,
  MemberPayload,
  PartialGuildPayload,
  RoleConnectionPayload,
  TokenPayload,
  UserPayload,
} from "../../../src/testing/mod.ts";

describe("the payload types", () => {
  test("agree with discord-api-types", () => {
    expectTypeOf<Exclude<keyof GuildPayload, "home_header" | "nsfw">>().toEqualTypeOf<
      Exclude<keyof discordTypes.APIGuild, "owner" | "permissions" | "icon_hash" | "welcome_screen">
    >();
    expectTypeOf<keyof UserPayload>().toEqualTypeOf<
      Exclude<keyof discordTypes.APIUser, "avatar_decoration">
    >();
    expectTypeOf<keyof MemberPayload>().toEqualTypeOf<keyof discordTypes.APIGuildMember>();
    expectTypeOf<keyof ConnectionPayload>().toEqualTypeOf<
      Exclude<keyof discordTypes.APIConnection, "integrations">
    >();
    expectTypeOf<keyof PartialGuildPayload>().toEqualTypeOf<
      keyof discordTypes.RESTAPIPartialCurrentUserGuild
    >();
    expectTypeOf<GuildPayload>().toExtend<Loose<Omit<discordTypes.APIGuild, "stickers">>>();
    expectTypeOf<UserPayload>().toExtend<Loose<discordTypes.APIUser>>();
    expectTypeOf<MemberPayload>().toExtend<Loose<discordTypes.APIGuildMember>>();
    expectTypeOf<ConnectionPayload>().toExtend<Loose<discordTypes.APIConnection>>();
    expectTypeOf<PartialGuildPayload>().toExtend<
      Loose<discordTypes.RESTAPIPartialCurrentUserGuild>
    >();
    expectTypeOf<RoleConnectionPayload>().toExtend<
      Loose<discordTypes.APIApplicationRoleConnection>
    >();
    expectTypeOf<TokenPayload["guild"]>().toExtend<Loose<discordTypes.APIGuild> | undefined>();
    expectTypeOf<NonNullable<TokenPayload["webhook"]>>().toExtend<Loose<discordTypes.APIWebhook>>();
  });
});

/** The read-only form of a type, with its enumerations as plain text and numbers. An optional field can be `undefined`. */
type Loose<T> = T extends string ? string
  : T extends number ? number
  : T extends boolean | null | undefined ? T
  : T extends readonly (infer Item)[] ? readonly Loose<Item>[]
  : { readonly [Key in keyof T]: Loose<T[Key]> | UndefinedIfOptional<T, Key> };

type UndefinedIfOptional<T, Key extends keyof T> = Partial<T> extends Pick<T, Key> ? undefined
  : never;
