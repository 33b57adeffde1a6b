import { describe, expect, expectTypeOf, test } from "vitest";
import type { TokenPayload } from "../../../src/testing/mod.ts";
import { get, readJson, smallPlatform } from "../small_platform.ts";

describe("FakePlatform.issueToken()", () => {
  test("issues the first user's token to the first application, with the scope identify", async () => {
    const fake = smallPlatform();
    const token = fake.issueToken();
    expect(token).toMatchObject({ token_type: "Bearer", scope: "identify", expires_in: 604800 });
    const authorization = await readJson(get(fake, "/oauth2/@me", `Bearer ${token.access_token}`));
    expect(authorization).toMatchObject({ application: { id: "100" }, user: { id: "1" } });
    expectTypeOf(token).toEqualTypeOf<TokenPayload>();
  });

  test("issues another user's token to another application", async () => {
    const fake = smallPlatform();
    const { access_token } = fake.issueToken({ as: "bob", clientId: "200", scopes: ["guilds"] });
    const authorization = await readJson(get(fake, "/oauth2/@me", `Bearer ${access_token}`));
    expect(authorization).toMatchObject({ application: { id: "200" }, scopes: ["guilds"] });
  });

  test("throws for an unknown user, application or scope", () => {
    const fake = smallPlatform();
    expect(() => fake.issueToken({ as: "eve" })).toThrow(`received "eve"`);
    expect(() => fake.issueToken({ clientId: "404" })).toThrow(
      new TypeError(`clientId must be the id of an application of the platform, received "404"`),
    );
    expect(() => fake.issueToken({ scopes: ["identify", "x"] })).toThrow(
      new TypeError(`scopes must be known to the platform, received "x"`),
    );
  });
});
