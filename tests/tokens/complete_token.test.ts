import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TokenObj } from "../../mod.ts";
import { completeToken } from "../../src/tokens/complete_token.ts";
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

const response = {
  access_token: access,
  token_type: "Bearer",
  expires_in: 3600,
  refresh_token: refresh,
  scope: "identify guilds",
};

/** The word of an error for a value: a number itself, and the shape of everything else. */
function kindOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? `a string of length ${value.length}` : typeof value;
}

describe("completeToken()", () => {
  test.each<[string, object, Partial<TokenObj>?]>([
    ["a response of the platform", response, { expires_in: 3600 }],
    ["a response with its lifetime as text", { ...response, expires_in: "3600" }, {
      expires_in: 3600,
    }],
    ["a response with a time of its end", { ...response, expires_in: 60, expires_at: inAnHour }, {
      expires_in: 60,
    }],
    ["a token of this library as JSON", JSON.parse(JSON.stringify(token))],
    ["a token with a list of scopes", { ...response, expires_in: null, scopes: token.scopes }, {
      expires_at: null,
    }],
    ["a token alone", { access_token: access }, {
      refresh_token: null,
      scope: "",
      scopes: [],
      expires_at: null,
    }],
    ["an empty refresh token", { ...response, refresh_token: "" }, {
      refresh_token: null,
      expires_in: 3600,
    }],
  ])("reads %s", (_, given, changes) => {
    expect(completeToken(given)).toEqual({ ...token, ...changes });
  });

  test.each<[string, unknown]>([
    ["token must be a TokenObj or a token response, received undefined", undefined],
    ["token must be a TokenObj or a token response, received null", null],
    ["token must be a TokenObj or a token response, received a string of length 31", access],
    ["token has no access_token: pass a TokenObj, or the JSON of the platform's response", {}],
    ["token has no access_token: pass a TokenObj, or", { accessToken: access }],
    ["token has no access_token: pass a TokenObj, or", { ...response, access_token: null }],
    ["token.access_token must not contain U+0020", { access_token: `${access} ` }],
    ["token.access_token must be ASCII text without", { access_token: "undefined" }],
    ["token.refresh_token must be ASCII text without", { ...response, refresh_token: 5 }],
    ...["7d", -1, 1e12 + 1, true].map((expires_in): [string, unknown] => [
      `token.expires_in must be a number of seconds, received ${kindOf(expires_in)}`,
      { ...response, expires_in },
    ]),
    ...[inAnHour / 1000, 99_999_999_999, 8.64e15 + 1, NaN, new Date(inAnHour), `${inAnHour}`].map(
      (expires_at): [string, unknown] => [
        `token.expires_at must be a time in milliseconds since the epoch, received ${
          kindOf(expires_at)
        }`,
        { ...response, expires_at },
      ],
    ),
    ["token.scope must be scopes separated by spaces", { ...response, scope: 7 }],
    ["token.scope must be scopes separated by spaces", { ...response, scopes: [access, 7] }],
  ])("throws a TypeError without a token: %s", async (message, given) => {
    const error = await thrownBy(() => completeToken(given));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
    expect(leaksOf(error, [access, refresh])).toEqual([]);
  });

  test("takes times from 1973 to the end of a Date", () => {
    for (const expires_at of [1e11, 8.64e15]) {
      expect(completeToken({ ...response, expires_at })).toMatchObject({ expires_at });
    }
  });
});
