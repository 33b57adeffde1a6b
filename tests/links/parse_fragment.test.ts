import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AuthUrl,
  OAuthError,
  parseFragment,
  StateMismatchError,
  type TokenObj,
  User,
} from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { leaksOf } from "../support/leaks.ts";
import { unfrozenPartsOf } from "../support/models.ts";

const PAGE = "https://app.example/callback";
const TOKEN = "t0ken-0f-th1s-l0g1n-thirty-chars";
const ID_TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
const STATE = "s7ate-0f-th1s-l0g1n";
const FRAGMENT = `access_token=${TOKEN}&token_type=Bearer&expires_in=604800&scope=identify+guilds` +
  `&state=${STATE}`;

/** The error for a page with this fragment. */
function refusal(fragment: string, expected: object = { state: STATE }): Error {
  try {
    parseFragment(`${PAGE}#${fragment}`, expected as { state: string });
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

function read(fragment: string): TokenObj {
  return parseFragment(`#${fragment}&state=${STATE}`, { state: STATE });
}

describe("parseFragment()", () => {
  test.each<[string, Parameters<typeof parseFragment>[0]]>([
    ["the address of a page as text", `${PAGE}#${FRAGMENT}`],
    ["an address with a query", `${PAGE}?state=other&access_token=other#${FRAGMENT}`],
    ["a URL", new URL(`${PAGE}#${FRAGMENT}`)],
    ["the location of a page", { href: `${PAGE}#${FRAGMENT}` }],
    ["the hash of a location", `#${FRAGMENT}`],
    ["a fragment", FRAGMENT],
    ["a URLSearchParams", new URLSearchParams(FRAGMENT)],
  ])("reads %s", (_, input) => {
    const before = Date.now();
    const token = parseFragment(input, { state: STATE });
    expect(token).toEqual({
      access_token: TOKEN,
      token_type: "Bearer",
      expires_in: 604800,
      expires_at: expect.toSatisfy((at) => at >= before + 604800e3 && at <= Date.now() + 604800e3),
      refresh_token: null,
      scope: "identify guilds",
      scopes: ["identify", "guilds"],
      guild: null,
      webhook: null,
      id_token: null,
    });
  });

  test("returns a frozen token", () => {
    expect(unfrozenPartsOf(read(FRAGMENT.replace(/&state.*/, "")))).toEqual([]);
  });

  test("returns a token that prints without its secrets", () => {
    const token = read(`access_token=${TOKEN}&token_type=Bearer&id_token=${ID_TOKEN}`);
    expect(token).toMatchObject({ access_token: TOKEN, id_token: ID_TOKEN });
    const printed = leaksOf(token, [TOKEN, ID_TOKEN]).filter((place) => /inspect/.test(place));
    expect(printed).toEqual([]);
  });

  test("returns null for values that the platform does not send", () => {
    expect(read(`access_token=${TOKEN}&token_type=Bearer&id_token=`)).toMatchObject({
      expires_in: null,
      expires_at: null,
      scope: "",
      scopes: [],
      id_token: null,
    });
  });

  test.each(["soon", "-1", "1e3", "1000000000001", " 1", "0x10"])(
    "does not say when a token expires, if that is in %j seconds",
    (seconds) => {
      const fragment = new URLSearchParams({
        access_token: TOKEN,
        token_type: "Bearer",
        expires_in: seconds,
      });
      expect(read(String(fragment))).toMatchObject({ expires_in: null, expires_at: null });
    },
  );

  test("returns any token that fits into a header, and any scopes", () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
    });
    fc.assert(fc.property(printable, printable, printable, (access_token, scope, state) => {
      const params = new URLSearchParams({ access_token, scope, state, token_type: "Bearer" });
      expect(parseFragment(`${PAGE}#${params}`, { state }))
        .toMatchObject({ access_token, scope, scopes: [scope] });
    }));
  });

  test.each([null, undefined, 5, true, {}, [], [`#${FRAGMENT}`], { url: PAGE }])(
    "refuses %o with a TypeError that does not repeat it",
    (input) => {
      const call = () => parseFragment(input as never, { state: STATE });
      expect(call).toThrow(TypeError);
      expect(call).toThrow(/^input must be a URL, a location or a fragment, received /);
      expect(call).not.toThrow(TOKEN);
    },
  );

  test.each([undefined, null, STATE])("demands an object with the state, not %o", (options) => {
    expect(() => parseFragment(FRAGMENT, options as never)).toThrow(
      /^options must be an object with the expected state, received/,
    );
  });
});

describe("A fragment", () => {
  test.each([
    ["has no state", `access_token=${TOKEN}&token_type=Bearer`, "no_state"],
    ["has another state", FRAGMENT.replace(STATE, "other"), "different"],
    ["is not there, but a query is", "", "no_state"],
  ])("that %s is refused", (_, fragment, reason) => {
    const error = refusal(fragment);
    expect(error).toBeInstanceOf(StateMismatchError);
    expect(error).toMatchObject({ reason });
  });

  test("is not searched in the query, where a token must not be", () => {
    expect(() => parseFragment(`${PAGE}?${FRAGMENT}`, { state: STATE })).toThrow("it has no state");
  });

  test("from another server is refused if an issuer is expected", () => {
    const issuer = "https://discord.com";
    const options = { state: STATE, issuer };
    const named = `${FRAGMENT}&iss=${encodeURIComponent(issuer)}`;
    expect(parseFragment(named, options)).toMatchObject({ access_token: TOKEN });
    expect(refusal(FRAGMENT, options)).toMatchObject({ reason: "no_issuer" });
    expect(refusal(`${FRAGMENT}&iss=https://evil.example`, options))
      .toMatchObject({ reason: "different_issuer" });
  });

  test("with an error throws an OAuthError with the details of the platform", () => {
    const error = refusal(`error=access_denied&error_description=No+thanks&state=${STATE}`);
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({
      error: "access_denied",
      description: "No thanks",
      httpStatus: null,
    });
  });

  test.each<[string, string, string]>([
    ["no token", `token_type=Bearer&state=${STATE}`, "The callback has no readable access_token"],
    [
      "a token that no header can carry",
      `access_token=a%0Ab&token_type=Bearer&state=${STATE}`,
      "The callback has no readable access_token",
    ],
    ["no type of token", `access_token=${TOKEN}&state=${STATE}`, "The callback has no token_type"],
    ...["access_token", "token_type", "expires_in", "scope", "state", "id_token"].map((
      name,
    ): [string, string, string] => [
      `more than one ${name}`,
      `${FRAGMENT}&id_token=${ID_TOKEN}&${name}=other`,
      `The callback has more than one ${name}`,
    ]),
  ])("with %s is refused, and the error shows no secret", (_, fragment, description) => {
    const error = refusal(fragment);
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({ error: "invalid_request", description });
    expect(leaksOf(error, [TOKEN, STATE, ID_TOKEN])).toEqual([]);
  });

  test.each([
    ["the token", TOKEN, `access_token=${TOKEN}`],
    ["the id_token", ID_TOKEN, `id_token=${ID_TOKEN}`],
    [
      "a refresh token, which should not be there",
      "r3fresh-1234567",
      "refresh_token=r3fresh-1234567",
    ],
    ["the state", STATE, ""],
  ])("with an error that repeats %s does not show it", (_, secret, more) => {
    const error = refusal(`error=x&error_description=is+${secret}&${more}&state=${STATE}`);
    expect(error).toMatchObject({ error: "x", description: "[redacted]" });
    expect(leaksOf(error, [secret])).toEqual([]);
  });
});

test("The implicit grant ends with a token that reads the user", async () => {
  const fake = createFakePlatform();
  const { id, redirectUris: [redirectUri = ""] } = sampleApplication;
  const login = new AuthUrl(id, ["identify"], redirectUri, null, fake);
  const link = await login.makeUrl({ state: STATE, responseType: "token" });
  const { issuer } = fake.platform;
  const token = parseFragment(new URL(await fake.authorize(link)), { state: STATE, issuer });
  expect(await new User(token, fake).getCurrentUser()).toMatchObject({ username: "ada" });
  const denied = await fake.deny(link);
  expect(() => parseFragment(denied, { state: STATE, issuer })).toThrow("access_denied");
});
