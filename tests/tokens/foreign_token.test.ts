import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TokenObj } from "../../mod.ts";
import { fromForeignToken } from "../../src/tokens/foreign_token.ts";
import { leaksOf } from "../support/leaks.ts";
import { thrownBy } from "../support/responders.ts";

const now = 1_800_000_000_000;
const inAnHour = now + 3_600_000;
const access = "6qrZcUqja7812RVdnEKjpzOL4CvHBFG";
const refresh = "D43f5y0ahjqew82jZ4NViEr2YafMKhue";

const token: TokenObj = {
  access_token: access,
  refresh_token: refresh,
  token_type: "Bearer",
  scope: "identify guilds",
  scopes: ["identify", "guilds"],
  expires_in: null,
  expires_at: inAnHour,
  guild: null,
  webhook: null,
  id_token: null,
};

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The tokens of `arctic` 3. */
class OAuth2Tokens {
  constructor(readonly data: object) {}

  accessToken(): string {
    throw new Error("must not be called");
  }
}

const response = {
  access_token: access,
  token_type: "Bearer",
  expires_in: 3600,
  refresh_token: refresh,
  scope: "identify guilds",
};

describe("fromForeignToken()", () => {
  test.each<[string, object, Partial<TokenObj>?]>([
    ["a response of the token endpoint", response, { expires_in: 3600 }],
    [
      "a response of the token endpoint with an empty refresh token",
      { ...response, refresh_token: "" },
      { expires_in: 3600, refresh_token: null },
    ],
    [
      "an account of better-auth",
      {
        id: "a1",
        accountId: "1000000000000000001",
        providerId: "discord",
        userId: "u1",
        accessToken: access,
        refreshToken: refresh,
        idToken: null,
        accessTokenExpiresAt: new Date(inAnHour),
        refreshTokenExpiresAt: null,
        scope: "identify,guilds",
        password: null,
      },
    ],
    [
      "an account of next-auth",
      {
        provider: "discord",
        providerAccountId: "1000000000000000001",
        access_token: access,
        refresh_token: refresh,
        expires_at: inAnHour / 1000,
        scope: "identify guilds",
        token_type: "bearer",
        id_token: null,
        session_state: null,
      },
    ],
    [
      "the values that remix-auth-discord passes on",
      {
        accessToken: access,
        refreshToken: refresh,
        expires_in: 3600,
        token_type: "Bearer",
        scope: ["identify", "guilds"],
      },
      { expires_in: 3600 },
    ],
    [
      "the values that passport-discord passes on",
      { accessToken: access, refreshToken: refresh },
      { scope: "", scopes: [], expires_at: null },
    ],
    ["the tokens of arctic 3", new OAuth2Tokens(response), { expires_in: 3600 }],
    [
      "the tokens of arctic 1",
      { accessToken: access, refreshToken: refresh, accessTokenExpiresAt: new Date(inAnHour) },
      { scope: "", scopes: [] },
    ],
    [
      "a session of Supabase",
      {
        access_token: "a JWT of Supabase",
        refresh_token: "supabase",
        token_type: "bearer",
        expires_in: 60,
        expires_at: 1_800_000_060,
        user: { app_metadata: {} },
        provider_token: access,
        provider_refresh_token: refresh,
      },
      { scope: "", scopes: [], expires_at: null },
    ],
    [
      "the tokens of Supabase with their scopes",
      { provider_token: access, provider_refresh_token: refresh, scope: "identify guilds" },
      { expires_at: null },
    ],
    [
      "a row of one's own",
      { accessToken: access, refreshToken: refresh, scopes: token.scopes, expiresAt: inAnHour },
    ],
    ["a row with expiresIn", { ...token, expires_at: null, expiresIn: "3600" }, {
      expires_in: 3600,
    }],
    ["a token of this library as JSON", JSON.parse(JSON.stringify(token))],
    [
      "a token alone",
      { access_token: access },
      { refresh_token: null, scope: "", scopes: [], expires_at: null },
    ],
  ])("reads %s", (_, given, changes) => {
    expect(fromForeignToken(given)).toEqual({ ...token, ...changes });
  });

  test("reads a model with getters on its prototype", () => {
    class Row {
      get accessToken(): string {
        return access;
      }
    }
    expect(fromForeignToken(new Row()).access_token).toBe(access);
  });

  test.each<[string, unknown]>([
    ["seconds", inAnHour / 1000],
    ["milliseconds", inAnHour],
    ["seconds as bigint", BigInt(inAnHour / 1000)],
    ["seconds as text", String(inAnHour / 1000)],
    ["a Date", new Date(inAnHour)],
    ["ISO text in UTC", new Date(inAnHour).toISOString()],
    ["ISO text of another time zone", "2027-01-15T11:00:00+02:00"],
  ])("reads an expiry in %s", (_, expires_at) => {
    expect(fromForeignToken({ ...response, expires_at })).toMatchObject({
      expires_at: inAnHour,
      expires_in: 3600,
    });
  });

  test("takes a number below 10^11 for seconds, and any other for milliseconds", () => {
    const endOf = (expires_at: number) => fromForeignToken({ ...response, expires_at }).expires_at;
    expect(endOf(99_999_999_999)).toBe(99_999_999_999_000);
    expect(endOf(10 ** 14 - 1)).toBe(10 ** 14 - 1);
    expect(endOf(100_000_000_000)).toBe(100_000_000_000);
  });

  test("lets an expiry without a refresh token stand", () => {
    const { refresh_token: _, ...rest } = response;
    expect(fromForeignToken(rest)).toMatchObject({ refresh_token: null, expires_at: inAnHour });
  });

  test.each<[string, unknown]>([
    ["token must be a TokenObj, a token response or a stored token, received undefined", undefined],
    ["token must be a TokenObj, a token response or a stored token, received null", null],
    ["token must be a TokenObj, a token response or a stored token, received string", access],
    ["token has no access token: access_token or accessToken must be set", {}],
    [
      "token has no access token: access_token or accessToken must be set",
      { ...response, access_token: null },
    ],
    [
      "token has no access token: provider_token must be set",
      { ...response, user: { app_metadata: {} } },
    ],
    [
      "token has no access token: provider_token must be set",
      { ...response, provider_token: null },
    ],
    ["token.accessToken must be text without white space", { accessToken: `${access} ` }],
    ["token.access_token must be text without white space", { access_token: "undefined" }],
    ["token.refresh_token must be text without white space", { ...response, refresh_token: 5 }],
    [
      "token.provider_refresh_token must be text without white space",
      { provider_token: access, provider_refresh_token: "" },
    ],
    ["token.expires_in must be a number of seconds, received string", {
      ...response,
      expires_in: "7d",
    }],
    ["token.expires_in must be a number of seconds, received number", {
      ...response,
      expires_in: -1,
    }],
    ["token.expires_in must be a number of seconds, received number", {
      ...response,
      expires_in: 1e12 + 1,
    }],
    ["token.expires_in must be a number of seconds, received boolean", {
      ...response,
      expires_in: true,
    }],
    ["token.expiresIn must be a number of seconds, received object", {
      accessToken: access,
      expiresIn: new Date(),
    }],
    ["token.expiresAt must be a time in seconds or milliseconds, a Date, or ISO text with its", {
      accessToken: access,
      expiresAt: "2027-01-15 09:00:00",
    }],
    ["token.expires_at must be a time", { ...response, expires_at: "2027-01-15T09:00:00" }],
    ["token.expires_at must be a time", { ...response, expires_at: "2027-99-15T09:00:00Z" }],
    ["token.expires_at must be a time", { ...response, expires_at: -1 }],
    ["token.expires_at must be a time", { ...response, expires_at: 8.64e15 + 1 }],
    ["token.expires_at must be a time", { ...response, expires_at: inAnHour * 1000 }],
    ["token.expires_at must be a time", { ...response, expires_at: String(10 ** 14) }],
    ["token.expires_at must be a time", { ...response, expires_at: new Date(NaN) }],
    ["token.scope must be text or a list of texts", { ...response, scope: 7 }],
    ["token.scopes must be text or a list of texts", { accessToken: access, scopes: [access, 7] }],
  ])("throws a TypeError without a token: %s", async (message, given) => {
    const error = await thrownBy(() => fromForeignToken(given));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
    expect(leaksOf(error, [access, refresh])).toEqual([]);
  });
});
