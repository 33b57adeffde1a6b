import fc from "fast-check";
import { base64url, CompactEncrypt, CompactSign, UnsecuredJWT } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { AuthUrl, discord, generateState, parseCallback, PlatformApi } from "../../mod.ts";
import { IdTokenError, verifyIdToken, type VerifyIdTokenOptions } from "../../src/openid/mod.ts";
import { checkIdToken, claimError, idTokenError } from "../../src/openid/verify_id_token.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { respondWith, thrownBy } from "../support/responders.ts";
import {
  clientId,
  keyPair,
  platformRespondingWith,
  platformWith,
  signed,
  usualClaims,
} from "../support/id_tokens.ts";
import { leaksOf } from "../support/leaks.ts";
import { unfrozenPartsOf } from "../support/models.ts";

afterEach(() => {
  vi.useRealTimers();
});

const ours = await keyPair("ours");
const theirs = await keyPair("theirs");
const right = await signed(ours);
const accessToken = "6qrZcUqja7812RVdnEKjpzOL4CvHBFGTOKEN";
const now = (): number => Math.floor(Date.now() / 1000);

/** Half of the digest, in base64url. */
async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(digest).slice(0, 16));
}

/** The reason why a platform with our key as its only one refuses a token. */
async function refusalOf(
  idToken: string | null,
  options: Partial<VerifyIdTokenOptions> = {},
): Promise<Record<string, unknown>> {
  const platform = platformWith(ours);
  const error = await thrownBy(() => verifyIdToken(idToken, { ...platform, clientId, ...options }));
  expect(error).toBeInstanceOf(IdTokenError);
  expect(error).toMatchObject({ name: "IdTokenError", code: "invalid_id_token" });
  expect((error as IdTokenError).message).toMatch(/^The id_token was refused: .*[^.]$/);
  expect(leaksOf(error, [...(idToken ? [idToken] : []), accessToken])).toEqual([]);
  const { reason, claim } = error as IdTokenError;
  return { reason, claim };
}

const wrongClaim = (claim: string) => ({ reason: "claim", claim });
const wrong = (reason: string) => ({ reason, claim: null });

describe("an id_token", () => {
  test("of a login at the fake platform identifies the user", async () => {
    const fake = createFakePlatform();
    const { id, secret } = sampleApplication;
    const redirectUri = "https://app.example/callback";
    const scope = ["openid", "identify"];
    const [state, nonce] = [generateState(), generateState()];
    const link = await new AuthUrl(id, scope, redirectUri, null, fake).makeUrl({ state, nonce });
    const { code } = parseCallback(await fake.authorize(link, { as: "grace" }), { state });
    const token = await new PlatformApi(id, secret, scope, redirectUri, fake).accessToken(code);

    const options = { ...fake, clientId: id, nonce, accessToken: token.access_token };
    const claims = await verifyIdToken(token.id_token, options);
    expect(claims).toEqual({
      iss: "https://platform.test",
      sub: "1000000000000000002",
      aud: [id],
      exp: expect.any(Number),
      iat: expect.any(Number),
      azp: null,
      auth_time: expect.any(Number),
      nonce,
      at_hash: await hashOf(token.access_token),
      preferred_username: null,
      nickname: null,
      picture: null,
      locale: null,
      email: null,
      email_verified: null,
    });
    expect(unfrozenPartsOf(claims)).toEqual([]);
    for (
      const [claim, other] of Object.entries({
        nonce: { nonce: generateState() },
        at_hash: { accessToken: `${token.access_token}x` },
        aud: { clientId: "1100000000000000002" },
        iss: { platform: { ...fake.platform, issuer: discord.issuer } },
      })
    ) {
      expect(await thrownBy(() => verifyIdToken(token.id_token, { ...options, ...other })), claim)
        .toMatchObject(wrongClaim(claim));
    }
  });

  test("with the hash of an access token is accepted if the caller has no access token", async () => {
    const idToken = await signed(ours, { at_hash: await hashOf(accessToken) });
    expect(await verifyIdToken(idToken, { ...platformWith(ours), clientId }))
      .toMatchObject({ sub: "1000000000000000001" });
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["whose audience is text", { aud: clientId }],
    ["for several, asked for by us", { aud: ["1", clientId], azp: clientId }],
    ["that says who asked for it", { azp: clientId }],
    ["without the hash of an access token", {}],
    ["that expired half a minute ago", { exp: now() - 30 }],
    ["that was issued half a minute ahead", { iat: now() + 30, nbf: now() + 30 }],
    ["with claims that nobody documents", { groups: [{ a: 1 }] }],
  ])("%s is accepted", async (_what, claims) => {
    const idToken = await signed(ours, claims);
    const found = await verifyIdToken(idToken, { ...platformWith(ours), clientId, accessToken });
    expect(found).toMatchObject({ ...claims, sub: "1000000000000000001" });
    expect(unfrozenPartsOf(found)).toEqual([]);
  });

  test("is accepted with a descriptive claim of another type, which is reported", async () => {
    const idToken = await signed(ours, { locale: 5, email_verified: "yes" });
    const onUnexpected = vi.fn();
    const options = { ...platformWith(ours), clientId, onUnexpected };
    expect(await verifyIdToken(idToken, options)).toMatchObject({
      locale: null,
      email_verified: null,
    });
    expect(onUnexpected.mock.calls).toEqual([[[
      { path: "locale", message: "expected a string, received number" },
      { path: "email_verified", message: "expected true or false, received string" },
    ], { method: "POST", path: "/oauth2/token" }]]);
  });

  test("is verified with the platform's only key if it names none", async () => {
    const nameless = { privateKey: ours.privateKey, jwk: { ...ours.jwk, kid: undefined } };
    const idToken = await signed(ours, {}, { kid: undefined } as never);
    for (const keys of [[ours], [nameless]]) {
      expect(await verifyIdToken(idToken, { ...platformWith(...keys), clientId }))
        .toMatchObject({ sub: "1000000000000000001" });
    }
    expect(
      await thrownBy(() => verifyIdToken(idToken, { ...platformWith(ours, theirs), clientId })),
    )
      .toMatchObject(wrong("unknown_key"));
  });
});

describe("an id_token is refused", () => {
  test.each<[string, string | null]>([
    ["none", null],
    ["nothing", ""],
    ["three parts that are none", "a.b.c"],
    ["an access token", accessToken],
    ["white space around it", ` ${right} `],
    ["three parts without a signature", right.replace(/[^.]*$/, "")],
    ["four parts", `${right}.`],
    ["five parts", `${right}.a.b`],
    ["two parts", right.replace(/\.[^.]*$/, "")],
    ["a header that is no object", `${base64url.encode('"RS256"')}.e30.AA`],
  ])("that is %s", async (what, idToken) => {
    const { reason } = await refusalOf(idToken);
    expect(["missing", "malformed", "signature"]).toContain(reason);
    expect(reason === "missing").toBe(what === "none");
  });

  test("that is too long, before it is parsed", async () => {
    const long = await signed(ours, { padding: "x".repeat(20_000) });
    expect(await refusalOf(long)).toEqual(wrong("malformed"));
    expect(await refusalOf(`${"a.".repeat(5_000_000)}`)).toEqual(wrong("malformed"));
  });

  test("without a signature: alg none", async () => {
    const unsigned = new UnsecuredJWT(usualClaims()).encode();
    const signature = (await signed(ours)).split(".")[2];
    for (const alg of ["none", "None", "NONE", "nOnE"]) {
      const header = base64url.encode(JSON.stringify({ alg, kid: "ours" }));
      expect(await refusalOf(unsigned.replace(/^[^.]*/, header))).toEqual(wrong("algorithm"));
      expect(await refusalOf(unsigned.replace(/^[^.]*/, header) + signature))
        .toEqual(wrong("algorithm"));
    }
  });

  test.each(["HS256", "HS384", "HS512"])(
    "that is signed with the public key as a shared secret: %s",
    async (alg) => {
      const spki = await crypto.subtle.exportKey("spki", await publicKeyOf(ours.jwk));
      const pem =
        `-----BEGIN PUBLIC KEY-----\n${btoa(String.fromCharCode(...new Uint8Array(spki)))}` +
        "\n-----END PUBLIC KEY-----\n";
      for (const secret of [pem, JSON.stringify(ours.jwk), String(ours.jwk["n"])]) {
        const forged = await new CompactSign(
          new TextEncoder().encode(JSON.stringify(usualClaims())),
        )
          .setProtectedHeader({ alg, kid: "ours" })
          .sign(new TextEncoder().encode(secret));
        expect(await refusalOf(forged)).toEqual(wrong("algorithm"));
      }
    },
  );

  test.each(["RS384", "RS512", "PS256"])(
    "that our key has signed with another algorithm: %s",
    async (alg) => {
      const name = alg.startsWith("PS") ? "RSA-PSS" : "RSASSA-PKCS1-v1_5";
      const pkcs8 = await crypto.subtle.exportKey("pkcs8", ours.privateKey);
      const hash = `SHA-${alg.slice(2)}`;
      const key = await crypto.subtle.importKey("pkcs8", pkcs8, { name, hash }, false, ["sign"]);
      expect(await refusalOf(await signed({ ...ours, privateKey: key }, {}, { alg })))
        .toEqual(wrong("algorithm"));
    },
  );

  test("that another key has signed under the platform's key name", async () => {
    const forged = await signed({ ...theirs, jwk: ours.jwk });
    expect(await refusalOf(forged)).toEqual(wrong("signature"));
    expect(await refusalOf(await signed(theirs))).toEqual(wrong("unknown_key"));
  });

  test.each<[string, object]>([
    ["the key itself", { jwk: theirs.jwk }],
    ["the address of a key", { jku: "https://attacker.example/keys" }],
    ["the address of a certificate", { x5u: "https://attacker.example/key.pem" }],
    ["a certificate", { x5c: ["MIIB"], x5t: "AAAA" }],
  ])("that brings %s along", async (_what, header) => {
    const platform = platformWith(ours);
    for (const kid of ["ours", "theirs", undefined]) {
      const forged = await signed(theirs, {}, { ...header, kid } as never);
      const error = await thrownBy(() => verifyIdToken(forged, { ...platform, clientId }));
      expect(error).toMatchObject(wrong(kid === "theirs" ? "unknown_key" : "signature"));
    }
    expect(platform.requests.map(({ url }) => url))
      .toEqual(["https://discord.com/api/v10/oauth2/keys"]);
  });

  test.each([[5], [null], [["ours"]], [{}], ["__proto__"], [""]])(
    "whose key is named %j",
    async (kid) => {
      const [, payload = "", signature = ""] = (await signed(ours)).split(".");
      const header = base64url.encode(JSON.stringify({ alg: "RS256", kid }));
      expect(await refusalOf(`${header}.${payload}.${signature}`)).toEqual(wrong("unknown_key"));
    },
  );

  test("with a critical extension", async () => {
    for (const crit of [["exp"], ["https://attacker.example/any"], ["b64"], []]) {
      const header = { alg: "RS256", kid: "ours", crit, exp: 1, b64: false };
      const [, payload = "", signature = ""] = (await signed(ours)).split(".");
      const forged = `${base64url.encode(JSON.stringify(header))}.${payload}.${signature}`;
      expect((await refusalOf(forged))["reason"]).toMatch(/^(malformed|signature)$/);
    }
  });

  test("that is encrypted", async () => {
    const key = await crypto.subtle.importKey(
      "jwk",
      { ...ours.jwk, alg: "RSA-OAEP-256", use: "enc" },
      { name: "RSA-OAEP", hash: "SHA-256" },
      false,
      ["encrypt"],
    );
    for (const alg of ["RSA-OAEP-256", "RS256"]) {
      const encrypted = await new CompactEncrypt(new TextEncoder().encode(await signed(ours)))
        .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM", kid: "ours" })
        .encrypt(key);
      const header = base64url.encode(JSON.stringify({ alg, enc: "A256GCM", kid: "ours" }));
      expect(await refusalOf(encrypted.replace(/^[^.]*/, header)))
        .toEqual(wrong(alg === "RS256" ? "malformed" : "algorithm"));
    }
  });

  test("with a change in any character of its content", async () => {
    const idToken = await signed(ours);
    await fc.assert(
      fc.asyncProperty(fc.nat(idToken.length - 1), fc.base64String(), async (at, other) => {
        const changed = `${idToken.slice(0, at)}${other.replace(/[=+/]/g, "x")[0] ?? "."}` +
          idToken.slice(at + 1);
        // The last character of a part has bits that belong to no byte.
        fc.pre(partsOf(changed) !== partsOf(idToken));
        expect(["malformed", "signature", "algorithm", "unknown_key"])
          .toContain((await refusalOf(changed))["reason"]);
      }),
      { numRuns: 60 },
    );
  });

  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    ["another platform has issued", "iss", { iss: "https://discord.com.attacker.example" }],
    ["another version of the platform's address has issued", "iss", {
      iss: "https://discord.com/",
    }],
    ["nobody has issued", "iss", { iss: undefined }],
    ["a list of platforms has issued", "iss", { iss: ["https://discord.com"] }],
    ["is for another application", "aud", { aud: "1100000000000000002" }],
    ["is for a part of our id", "aud", { aud: clientId.slice(0, -1) }],
    ["is for others", "aud", { aud: ["1100000000000000002", `${clientId}0`] }],
    ["is for nobody in a list", "aud", { aud: [] }],
    ["is for nobody", "aud", { aud: undefined }],
    ["is for a number", "aud", { aud: Number(clientId) }],
    ["another application has asked for", "azp", { azp: "1100000000000000002" }],
    ["another of several has asked for", "azp", { aud: [clientId, "2"], azp: "2" }],
    ["one of several has asked for, who is not named", "azp", { aud: [clientId, "2"] }],
    ["is about nobody", "sub", { sub: undefined }],
    ["is about nobody by name", "sub", { sub: "" }],
    ["is about a number", "sub", { sub: 1 }],
    ["has expired", "exp", { exp: now() - 61 }],
    ["never expires", "exp", { exp: undefined }],
    ["expires in words", "exp", { exp: "tomorrow" }],
    ["was issued in the future", "iat", { iat: now() + 3600 }],
    ["was issued at no time", "iat", { iat: undefined }],
    ["was issued in words", "iat", { iat: "now" }],
    ["is not valid yet", "nbf", { nbf: now() + 3600 }],
  ])("that %s", async (_what, claim, claims) => {
    expect(await refusalOf(await signed(ours, claims))).toEqual(wrongClaim(claim));
  });

  test("with another nonce than the link, or if only one of them has a nonce", async () => {
    const [nonce, other] = [generateState(), generateState()];
    expect(await refusalOf(await signed(ours, { nonce: other }), { nonce }))
      .toEqual(wrongClaim("nonce"));
    expect(await refusalOf(await signed(ours), { nonce })).toEqual(wrongClaim("nonce"));
    expect(await refusalOf(await signed(ours, { nonce: [nonce] }), { nonce }))
      .toEqual(wrongClaim("nonce"));
    // As when the cookie is lost that had it: the token could be that of anybody's login.
    for (const none of [null, undefined]) {
      expect(await refusalOf(await signed(ours, { nonce: other }), { nonce: none }))
        .toEqual(wrongClaim("nonce"));
    }
  });

  test("that belongs to another access token", async () => {
    for (const at_hash of [await hashOf("another"), "", null, [await hashOf(accessToken)]]) {
      expect(await refusalOf(await signed(ours, { at_hash }), { accessToken }))
        .toEqual(wrongClaim("at_hash"));
    }
    const ofThis = await signed(ours, { at_hash: await hashOf(accessToken) });
    expect(await verifyIdToken(ofThis, { ...platformWith(ours), clientId, accessToken }))
      .toMatchObject({ at_hash: await hashOf(accessToken) });
  });

  test("a second after the minute of leeway", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    const idToken = await signed(ours, { exp: now() + 100, iat: now() });
    const options = { ...platformWith(ours), clientId };
    const taken = { sub: "1000000000000000001" };
    vi.advanceTimersByTime(159_000);
    expect(await verifyIdToken(idToken, options)).toMatchObject(taken);
    vi.advanceTimersByTime(1_000);
    expect(await thrownBy(() => verifyIdToken(idToken, options))).toMatchObject(wrongClaim("exp"));
    const early = await signed(ours, { iat: now() + 61 });
    expect(await thrownBy(() => verifyIdToken(early, options))).toMatchObject(wrongClaim("iat"));
    vi.advanceTimersByTime(1_000);
    expect(await verifyIdToken(early, options)).toMatchObject(taken);
  });

  test("with a hint", async () => {
    const platform = platformWith(ours);
    const hintFor = async (idToken: string | null): Promise<unknown> =>
      Object(await thrownBy(() => verifyIdToken(idToken, { ...platform, clientId }))).hint;
    expect(await hintFor(null)).toContain("scope openid");
    expect(await hintFor(await signed(ours, { exp: 1 }))).toContain("clock");
    expect(await hintFor(await signed(ours, { aud: "1" }))).toBe("Check clientId");
    expect(await hintFor(await signed(ours, { iss: "" }))).toBe("Check platform.issuer");
  });
});

describe("a wrong argument is named and never shown:", () => {
  const idToken = "eyJhbGciOiJSUzI1NiJ9.e30.AAAA";
  test.each<[string, () => Promise<unknown>, string?]>([
    [
      "options",
      () => verifyIdToken(idToken, null as never),
      "an object with the clientId, received ",
    ],
    ["options", () => verifyIdToken(idToken, undefined as never)],
    ["clientId", () => verifyIdToken(idToken, {} as never)],
    ["clientId", () => verifyIdToken(idToken, { clientId: idToken })],
    [
      "idToken",
      () => verifyIdToken(undefined as never, { clientId }),
      "the id_token of a token response, received ",
    ],
    ["idToken", () => verifyIdToken({ id_token: idToken } as never, { clientId })],
    ["nonce", () => verifyIdToken(idToken, { clientId, nonce: "" }), "text, received "],
    ["nonce", () => verifyIdToken(idToken, { clientId, nonce: 5 as never })],
    ["accessToken", () => verifyIdToken(idToken, { clientId, accessToken: "" })],
    ["accessToken", () => verifyIdToken(idToken, { clientId, accessToken: {} as never })],
    [
      "platform.issuer",
      () => verifyIdToken(idToken, { clientId, platform: { ...discord, issuer: null } }),
    ],
    [
      "platform.issuer",
      () => verifyIdToken(idToken, { clientId, platform: { ...discord, issuer: "" } }),
      "text, received ",
    ],
    [
      "platform.apiUrl",
      () => verifyIdToken(idToken, { clientId, platform: { ...discord, apiUrl: idToken } }),
    ],
    ["timeout", () => verifyIdToken(idToken, { clientId, timeout: -1 })],
    ["fetch", () => verifyIdToken(idToken, { clientId, fetch: "fetch" as never })],
  ])("%s", async (name, call, expected = "") => {
    const error = await thrownBy(call);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(`TypeError: ${name} must be ${expected}`);
    expect(leaksOf(error, [idToken])).toEqual([]);
  });

  test("a misspelled option, whose check would be left out", async () => {
    const options: object = { clientId, nonse: "n0nce" };
    const error = await thrownBy(() => verifyIdToken(idToken, options as { clientId: string }));
    expect(error).toEqual(new TypeError("options.nonse is unknown: did you mean nonce?"));
  });
});

describe("An id_token from the platform itself", () => {
  const subject = "1000000000000000001";

  test("names its person, also if the platform's keys can't be read", async () => {
    expect(await checkIdToken(right, { ...platformWith(ours), clientId })).toBe(subject);
    const platform = platformRespondingWith(respondWith("<html>"));
    expect(await checkIdToken(right, { ...platform, clientId })).toBe(subject);
    expect(platform.requests).toHaveLength(1);
  });

  test("is refused with a wrong signature or a wrong claim", async () => {
    const forged = await signed(theirs, {}, { kid: "ours" });
    expect(await thrownBy(() => checkIdToken(forged, { ...platformWith(ours), clientId })))
      .toMatchObject(wrong("signature"));
    const platform = platformRespondingWith(respondWith("<html>"));
    const expired = await signed(ours, { exp: now() - 61 });
    expect(await thrownBy(() => checkIdToken(expired, { ...platform, clientId })))
      .toMatchObject(wrongClaim("exp"));
  });

  test.each<[string, Partial<VerifyIdTokenOptions>]>([
    ["a wrong address of the platform", { platform: { ...discord, apiUrl: "nowhere" } }],
    ["a wrong timeout", { timeout: -1 }],
  ])("is not taken without its signature because of %s", async (_what, wrongOptions) => {
    const options = { ...platformWith(ours), clientId, ...wrongOptions };
    expect(await thrownBy(() => checkIdToken(right, options))).toBeInstanceOf(TypeError);
  });

  test("is not taken without its signature if the caller has aborted", async () => {
    const signal = AbortSignal.abort("enough");
    expect(await thrownBy(() => checkIdToken(right, { ...platformWith(ours), clientId, signal })))
      .toBe("enough");
  });
});

async function publicKeyOf(jwk: object): Promise<CryptoKey> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  return await crypto.subtle.importKey("jwk", jwk, algorithm, true, ["verify"]);
}

/** The decoded parts of a token. */
function partsOf(token: string): string {
  try {
    return token.split(".").map((part) => String(base64url.decode(part))).join(".");
  } catch {
    return token;
  }
}

describe("the error for an id_token", () => {
  test("says what is wrong with the token as a whole, or with which claim", () => {
    expect(idTokenError("algorithm")).toMatchObject({
      message: "The id_token was refused: it is not signed with RS256",
      reason: "algorithm",
      claim: null,
    });
    expect(claimError("aud")).toMatchObject({
      message: "The id_token was refused: it is for another application",
      hint: "Check clientId",
      reason: "claim",
      claim: "aud",
    });
  });

  const clock = "Verify it right after the login, and check this machine's clock";
  const keys = "Check that platform is the one of the login";

  test.each([
    [
      idTokenError("missing"),
      "it is missing",
      "Ask for the scope openid, which adds an id_token to the token response",
    ],
    [idTokenError("malformed"), "it is not a signed JWT", undefined],
    [idTokenError("algorithm"), "it is not signed with RS256", undefined],
    [idTokenError("unknown_key"), "it is signed with a key that the platform does not have", keys],
    [idTokenError("signature"), "its signature is not the platform's", keys],
    [claimError("iss"), "it was not issued by the platform", "Check platform.issuer"],
    [claimError("aud"), "it is for another application", "Check clientId"],
    [claimError("azp"), "its authorized party is missing or another application", undefined],
    [claimError("sub"), "it does not name a user", undefined],
    [claimError("exp"), "it has expired, or has no expiry", clock],
    [claimError("iat"), "it was issued in the future, or has no time of issue", clock],
    [claimError("nbf"), "it is not valid yet", clock],
    [
      claimError("nonce"),
      "it belongs to another login: its nonce is not the expected one",
      "Pass the nonce of the authorization URL; if it was passed, start a new login",
    ],
    [claimError("at_hash"), "its at_hash does not match the access token", undefined],
  ])("names the cause and the fix: %s", (error, cause, hint) => {
    expect(error.message).toBe(`The id_token was refused: ${cause}`);
    expect(error.hint).toBe(hint);
  });
});
