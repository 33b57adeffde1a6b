import type { OAuth2Scopes } from "discord-api-types/v10";
import { describe, expectTypeOf, test } from "vitest";
import type { KnownScope, Scope } from "../../mod.ts";

describe("KnownScope", () => {
  test("is every scope of discord-api-types", () => {
    expectTypeOf<Exclude<`${OAuth2Scopes}`, KnownScope>>().toBeNever();
  });

  test("is every other scope of the platform's documentation", () => {
    expectTypeOf<Exclude<KnownScope, `${OAuth2Scopes}`>>().toEqualTypeOf<
      | "activities.invites.write"
      | "openid"
      | "rpc.screenshare.read"
      | "rpc.screenshare.write"
      | "rpc.video.read"
      | "rpc.video.write"
      | "sdk.social_layer"
      | "sdk.social_layer_presence"
    >();
  });
});

describe("Scope", () => {
  test("is a known scope or any other text", () => {
    expectTypeOf<KnownScope>().toExtend<Scope>();
    expectTypeOf<"brand.new">().toExtend<Scope>();
    expectTypeOf<string>().toExtend<Scope>();
    expectTypeOf<Scope>().not.toEqualTypeOf<string>();
    expectTypeOf<number>().not.toExtend<Scope>();
  });

  test("accepts the enumeration of discord-api-types", () => {
    expectTypeOf<OAuth2Scopes>().toExtend<Scope>();
  });
});
