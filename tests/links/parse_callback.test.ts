import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AuthUrl } from "../../src/links/auth_url.ts";
import { parseCallback } from "../../src/links/parse_callback.ts";
import { OAuthError, StateMismatchError } from "../../src/core/errors.ts";
import { Permissions } from "../../src/permissions/permissions.ts";
import { generateState } from "../../src/links/pkce.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

const CALLBACK = "https://app.example/callback";
const CODE = "c0de-0f-th1s-l0g1n-thirty-chars";
const STATE = "s7ate-0f-th1s-l0g1n";
const QUERY = `code=${CODE}&state=${STATE}`;
const LOGIN = { code: CODE, state: STATE, guildId: null, permissions: null };

/** The error for a callback with this query. */
function refusal(
  query: string,
  expected: { state: unknown; issuer?: string } = { state: STATE },
): Error {
  try {
    parseCallback(`${CALLBACK}?${query}`, expected as { state: string });
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

describe("parseCallback()", () => {
  test.each<[string, Parameters<typeof parseCallback>[0]]>([
    ["a URL as text", `${CALLBACK}?${QUERY}`],
    ["a URL with a fragment", `${CALLBACK}?${QUERY}#_=_`],
    ["a URL whose fragment looks like a query", `${CALLBACK}?${QUERY}#?code=other&state=other`],
    ["a path", `/callback?${QUERY}`],
    ["a search", `?${QUERY}`],
    ["a query", QUERY],
    ["a URL", new URL(`${CALLBACK}?${QUERY}`)],
    ["a Request", new Request(`${CALLBACK}?${QUERY}`)],
    ["a Request with a body", new Request(`${CALLBACK}?${QUERY}`, { method: "POST", body: "a=b" })],
    ["a URLSearchParams", new URLSearchParams(QUERY)],
    ["the request of a framework", { url: `/callback?${QUERY}`, method: "GET" } as Request],
    ["the request of Express, which has only a path", { url: `/callback?${QUERY}` }],
    ["a path with an equals sign", `/a=b/callback?${QUERY}`],
    ["the location of a page", { href: `${CALLBACK}?${QUERY}` } as URL],
  ])("reads %s", (_, input) => {
    expect(parseCallback(input, { state: STATE })).toEqual(LOGIN);
  });

  test("returns the guild and the permissions of an added bot", () => {
    const query = `${QUERY}&guild_id=41771983423143937&permissions=18446744073709551616`;
    const callback = parseCallback(query, { state: STATE });
    expect(callback).toEqual({
      code: CODE,
      state: STATE,
      guildId: "41771983423143937",
      permissions: "18446744073709551616",
    });
    expect(new Permissions(callback.permissions).value).toBe(1n << 64n);
  });

  test("returns a frozen object", () => {
    expect(Object.isFrozen(parseCallback(QUERY, { state: STATE }))).toBe(true);
  });

  test("omits unknown parameters", () => {
    expect(parseCallback(`${QUERY}&iss=https%3A%2F%2Fdiscord.com&error=`, { state: STATE }))
      .toEqual(LOGIN);
  });

  test("treats an empty guild and empty permissions as missing (RFC 6749 section 3.1)", () => {
    expect(parseCallback(`${QUERY}&guild_id=&permissions=`, { state: STATE })).toEqual(LOGIN);
  });

  test("keeps a question mark in a value of a bare query", () => {
    expect(parseCallback("code=a?b&state=s", { state: "s" }).code).toBe("a?b");
    expect(parseCallback("state=s&code=a?b", { state: "s" }).code).toBe("a?b");
    expect(parseCallback("/callback?code=a?b&state=s", { state: "s" }).code).toBe("a?b");
  });

  test("decodes a form", () => {
    expect(parseCallback("code=a%2Bb+c&state=%C3%BC+%26", { state: "ü &" }).code).toBe("a+b c");
  });

  test.each([null, undefined, 5, true, {}, [], [`?${QUERY}`], { url: 5 }])(
    "refuses %o with a TypeError that does not repeat it",
    (input) => {
      const call = () => parseCallback(input as never, { state: STATE });
      expect(call).toThrow(TypeError);
      expect(call).toThrow(/^input must be a URL, a query or a request, received /);
      expect(call).not.toThrow(CODE);
    },
  );

  test("says that a promise must be awaited", () => {
    expect(() => parseCallback(Promise.resolve(QUERY) as never, { state: STATE }))
      .toThrow("received a Promise: await it");
  });
});

test.each([undefined, null, STATE])(
  "parseCallback() demands to be told the state, not %o",
  (options) => {
    expect(() => parseCallback(QUERY, options as never)).toThrow(
      /^options must be an object with the expected state, received/,
    );
  },
);

describe("The state of a callback", () => {
  test.each([
    ["is missing", `code=${CODE}`],
    ["is empty", `code=${CODE}&state=`],
    ["differs in its first character", `code=${CODE}&state=S7ate-0f-th1s-l0g1n`],
    ["differs in the middle", `code=${CODE}&state=s7ate-0f_th1s-l0g1n`],
    ["differs in its last character", `code=${CODE}&state=s7ate-0f-th1s-l0g1N`],
    ["differs in two characters that cancel out", `code=${CODE}&state=7sate-0f-th1s-l0g1n`],
    ["is the beginning of the expected one", `code=${CODE}&state=s7ate-0f-th1s-l0g1`],
    ["begins with the expected one", `code=${CODE}&state=${STATE}1`],
    ["is in the fragment only", `code=${CODE}#state=${STATE}`],
    ["stands twice, the first one wrong", `code=${CODE}&state=other&state=${STATE}`],
    ["is wrong, and there is no code", "state=other"],
    ["is missing, and so is everything else", ""],
    ["is wrong in an error", "error=access_denied&state=other"],
    ["is empty in an error", "error=access_denied&state="],
    ["comes as the implicit grant's fragment", `#access_token=t0ken&state=${STATE}`],
  ])("%s: StateMismatchError", (_, query) => {
    expect(refusal(query)).toBeInstanceOf(StateMismatchError);
  });

  test.each([undefined, null, ""])("matches nothing if %o was expected", (expected) => {
    for (const query of [QUERY, `code=${CODE}`, `code=${CODE}&state=`, `${QUERY}&state=`]) {
      expect(refusal(query, { state: expected })).toBeInstanceOf(StateMismatchError);
    }
    expect(refusal(`code=${CODE}&state=${expected}`, { state: expected }))
      .toBeInstanceOf(StateMismatchError);
  });

  test.each([
    ["no_expected_state", QUERY, undefined],
    ["no_expected_state", QUERY, null],
    ["no_expected_state", QUERY, ""],
    ["no_state", `code=${CODE}`, STATE],
    ["no_state", `code=${CODE}&state=`, STATE],
    ["different", `code=${CODE}&state=other`, STATE],
  ])("gives the reason %s for %s if %o was expected", (reason, query, expected) => {
    expect(refusal(query, { state: expected })).toMatchObject({ reason });
  });

  test("matches only text", () => {
    expect(refusal("code=c&state=5", { state: 5 })).toBeInstanceOf(StateMismatchError);
    expect(refusal("code=c&state=a", { state: ["a"] })).toBeInstanceOf(StateMismatchError);
  });

  test("is compared to its end, beyond ASCII too", () => {
    expect(parseCallback("code=c&state=%C3%BC", { state: "ü" }).state).toBe("ü");
    // U+00FC and U+01FC have their lower byte in common.
    expect(refusal("code=c&state=%C7%BC", { state: "ü" })).toBeInstanceOf(StateMismatchError);
  });

  test("matches if and only if both are the same text", () => {
    const anyState = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
    const similar = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
    const pairs = fc.oneof(
      fc.tuple(anyState, anyState),
      fc.tuple(similar, similar),
      anyState.map((state) => [state, state] as const),
    );
    fc.assert(fc.property(pairs, ([received, expected]) => {
      const query = new URLSearchParams({ code: CODE, state: received });
      if (received === expected) {
        expect(parseCallback(query, { state: expected }).state).toBe(expected);
      } else {
        expect(() => parseCallback(query, { state: expected })).toThrow(StateMismatchError);
      }
    }));
  });
});

describe("The issuer of a callback (RFC 9207)", () => {
  const issuer = "https://discord.com";
  const from = (...issuers: string[]): string =>
    issuers.map((iss) => `&${new URLSearchParams({ iss })}`).join("");
  const refused = (query: string): Error => refusal(query, { state: STATE, issuer });

  test("must be equal to the expected one", () => {
    expect(parseCallback(QUERY + from(issuer), { state: STATE, issuer })).toEqual(LOGIN);
    for (
      const other of [`${issuer}/`, "http://discord.com", "https://discord.com.evil.example", ""]
    ) {
      expect(refused(QUERY + from(other))).toMatchObject({
        code: "state_mismatch",
        reason: "different_issuer",
      });
    }
  });

  test("must not be missing", () => {
    expect(refused(QUERY)).toMatchObject({ reason: "no_issuer" });
  });

  test("must be the only one", () => {
    for (
      const query of [from(issuer, "https://evil.example"), from("https://evil.example", issuer)]
    ) {
      expect(refused(QUERY + query)).toMatchObject({ reason: "different_issuer" });
    }
  });

  test("is compared in an error too, and in one without a state", () => {
    for (const error of [`error=access_denied&state=${STATE}`, "error=access_denied"]) {
      expect(refused(error + from(issuer))).toMatchObject({ error: "access_denied" });
      expect(refused(error + from("https://evil.example"))).toMatchObject({
        reason: "different_issuer",
      });
      expect(refused(error)).toMatchObject({ reason: "no_issuer" });
    }
  });

  test("is checked after the state", () => {
    expect(refused(`code=${CODE}&state=other`)).toMatchObject({ reason: "different" });
  });

  test.each([undefined, null])("is not compared if %o was expected", (issuer) => {
    const query = QUERY + from("https://any.example");
    expect(parseCallback(query, { state: STATE, issuer })).toEqual(LOGIN);
  });

  test.each([["", "received an empty string; is the variable set?"], [5, "received number"], [
    new URL(issuer),
    "received object",
  ]])("must not be %o as an argument", (issuer, found) => {
    const error = refusal(QUERY, { state: STATE, issuer: issuer as string });
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch("issuer must be the platform's own name as a string, received ");
    expect(error.message).toContain(found);
  });

  test("is accepted as the fake platform sends it, with a code and with a refusal", async () => {
    const fake = createFakePlatform();
    const { id, redirectUris: [redirectUri = ""] } = sampleApplication;
    const link = await new AuthUrl(id, ["identify"], redirectUri, null, fake)
      .makeUrl({ state: STATE });
    const { issuer } = fake.platform;
    expect(parseCallback(await fake.authorize(link), { state: STATE, issuer }).state).toBe(STATE);
    const denied = await fake.deny(link);
    expect(() => parseCallback(denied, { state: STATE, issuer })).toThrow("access_denied");
    expect(() => parseCallback(denied, { state: STATE, issuer: "https://other.example" }))
      .toThrow("its issuer does not match");
  });
});

describe("A callback with an error", () => {
  test("throws an OAuthError with the details of the platform", () => {
    const error = refusal(
      "error=access_denied&error_description=The+resource+owner+denied+the+request" +
        `&state=${STATE}`,
    );
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({
      name: "OAuthError",
      code: "oauth_error",
      error: "access_denied",
      description: "The resource owner denied the request",
      httpStatus: null,
      hint: "The user refused: explain why you need access, and offer to log in again",
    });
    expect(error.message).toBe(
      "The authorization failed: access_denied (The resource owner denied the request)",
    );
  });

  test("keeps 200 characters of each text, which a visitor can write", () => {
    const [most, more] = ["x".repeat(200), "x".repeat(201)];
    expect(refusal(`error=${most}&error_description=${most}&state=${STATE}`))
      .toMatchObject({ error: most, description: most });
    expect(refusal(`error=${more}&error_description=${more}&state=${STATE}`))
      .toMatchObject({ error: most, description: most });
  });

  test("hides a text that repeats a code behind the first 200 characters", () => {
    const description = `${"x".repeat(300)} ${CODE}`;
    expect(refusal(`error=x&error_description=${description}&${QUERY}`))
      .toMatchObject({ description: "[redacted]" });
  });

  test("is accepted without a state, since a refusal grants nothing", () => {
    expect(refusal("error=access_denied")).toMatchObject({
      error: "access_denied",
      description: null,
    });
    expect(refusal("error=access_denied", { state: undefined })).toBeInstanceOf(OAuthError);
  });

  test("hides its text if it repeats the expected state, but has none of its own", () => {
    expect(refusal(`error=x&error_description=is+${STATE}`))
      .toMatchObject({ description: "[redacted]" });
  });

  test.each([
    ["the state, in the description", `error=x&error_description=is+${STATE}&state=${STATE}`],
    ["the state, in the error", `error=${STATE}&state=${STATE}`],
    ["the code", `error=x&error_description=is+${CODE}&${QUERY}`],
  ])("hides its text if it repeats %s", (_, query) => {
    const error = refusal(query);
    expect(error).toBeInstanceOf(OAuthError);
    expect(JSON.stringify([error.message, error.stack, error])).not.toMatch(
      new RegExp(`${STATE}|${CODE}`),
    );
    expect(error.message).toContain("[redacted]");
  });

  test.each([
    ["in capitals", STATE.toUpperCase()],
    ["escaped", encodeURIComponent(encodeURIComponent(STATE)).replaceAll("-", "%2D")],
    ["in part", STATE.replaceAll("-", "").slice(0, 13)],
    ["with other marks between", STATE.replaceAll("-", "_")],
  ])("hides its text if it repeats the state %s", (_, repeated) => {
    const description = encodeURIComponent(`is ${repeated} here`);
    expect(refusal(`error=x&error_description=${description}&state=${STATE}`))
      .toMatchObject({ description: "[redacted]" });
  });

  test("hides its text if it repeats an access token beside it", () => {
    const token = "acc3ss-t0ken-of-an0ther";
    expect(refusal(`error=x&error_description=${token}&access_token=${token}&state=${STATE}`))
      .toMatchObject({ description: "[redacted]" });
  });

  test("hides its text if it repeats the second code or a wrong state", () => {
    const second = "s3c0nd-c0de-of-the-same-l1nk";
    expect(
      refusal(`error=x&error_description=${second}&code=${CODE}&code=${second}&state=${STATE}`),
    )
      .toMatchObject({ description: "[redacted]" });
    expect(refusal(`error=x&error_description=${second}&state=${STATE}&state=${second}`))
      .toMatchObject({ description: "[redacted]" });
  });

  test("throws even if it has a code", () => {
    expect(refusal(`error=server_error&${QUERY}`)).toMatchObject({ error: "server_error" });
  });
});

describe("A callback without a valid response", () => {
  test.each([
    ["has no code", `state=${STATE}`, "The callback has no code"],
    ["has an empty code", `code=&state=${STATE}`, "The callback has no code"],
    ["has two codes", `code=other&${QUERY}`, "The callback has more than one code"],
    ["has its code twice", `code=${CODE}&${QUERY}`, "The callback has more than one code"],
    ["has a second state", `${QUERY}&state=other`, "The callback has more than one state"],
    [
      "has two guilds",
      `${QUERY}&guild_id=1&guild_id=2`,
      "The callback has more than one guild_id",
    ],
    [
      "has two permissions",
      `${QUERY}&permissions=1&permissions=2`,
      "The callback has more than one permissions",
    ],
    [
      "has a guild that is no snowflake",
      `${QUERY}&guild_id=../users`,
      "The callback's guild_id is not a snowflake",
    ],
    [
      "has a guild of two lines",
      `${QUERY}&guild_id=1%0A2`,
      "The callback's guild_id is not a snowflake",
    ],
    [
      "has a guild beyond 64 bits",
      `${QUERY}&guild_id=${"1".repeat(21)}`,
      "The callback's guild_id is not a snowflake",
    ],
    [
      "has negative permissions",
      `${QUERY}&permissions=-1`,
      "The callback's permissions are not a number",
    ],
    [
      "has permissions with a letter",
      `${QUERY}&permissions=8n`,
      "The callback's permissions are not a number",
    ],
  ])("%s: OAuthError invalid_request", (_, query, description) => {
    const error = refusal(query);
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({
      error: "invalid_request",
      description,
      hint: "Start a new login; if that fails too, check the parameters of the link",
      httpStatus: null,
    });
  });
});

describe("The error of parseCallback()", () => {
  test.each([
    ["another state", `code=${CODE}&state=0ther-state`],
    ["no state", `code=${CODE}`],
    ["two codes", `code=${CODE}&code=${CODE}&state=${STATE}`],
    ["two states", `code=${CODE}&state=${STATE}&state=0ther-state`],
    ["a wrong guild", `code=${CODE}&state=${STATE}&guild_id=0ther-state`],
    ["a refusal", `error=access_denied&code=${CODE}&state=${STATE}`],
    ["a refusal with another state", `error=access_denied&code=${CODE}&state=0ther-state`],
  ])("shows neither code nor state for %s", (_, query) => {
    const error = refusal(query);
    const shown = [error, error.message, error.stack, JSON.stringify(error)];
    for (const key of Reflect.ownKeys(error)) shown.push(String(Reflect.get(error, key)));
    for (const secret of [CODE, STATE, "0ther-state"]) {
      expect(shown.join("\n")).not.toContain(secret);
    }
    expect(error.cause).toBeUndefined();
  });
});

describe("Any login", () => {
  test("ends in a callback with its state", async () => {
    const state = generateState();
    const link = new URL(
      await new AuthUrl("1", ["identify"], `${CALLBACK}?tenant=1`).makeUrl({ state }),
    );
    const back = new URL(link.searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", CODE);
    back.searchParams.set("state", link.searchParams.get("state") ?? "");
    expect(parseCallback(back, { state })).toEqual({ ...LOGIN, state });
  });

  test("returns its code and its state in every form of input", () => {
    const anyText = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(fc.property(anyText, anyText, (code, state) => {
      const url = new URL(`${CALLBACK}?${new URLSearchParams({ code, state })}`);
      const inputs = [url, url.href, url.search, url.searchParams, new Request(url)];
      for (const input of inputs) {
        expect(parseCallback(input, { state })).toEqual({ ...LOGIN, code, state });
      }
    }));
  });
});

test("parseCallback() says that the options are missing, without a question about variables", () => {
  expect(() => parseCallback(QUERY, undefined as never)).toThrow(
    new TypeError("options must be an object with the expected state, received undefined"),
  );
});
