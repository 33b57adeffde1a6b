import { describe, expect, test, vi } from "vitest";
import { codeChallenge, generateCodeVerifier, generateState } from "../../src/links/pkce.ts";

describe.each([
  ["generateState()", generateState],
  ["generateCodeVerifier()", generateCodeVerifier],
])("%s", (_, generate) => {
  const made = Array.from({ length: 500 }, generate);

  test("returns 43 characters of base64url, which are 256 bits", () => {
    for (const value of made) expect(value).toMatch(/^[\w-]{43}$/);
  });

  test("returns no value twice", () => {
    expect(new Set(made).size).toBe(made.length);
  });

  test("uses every bit", () => {
    const seen = new Uint8Array(32);
    for (const value of made) {
      const bytes = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
      seen.forEach((bits, i) => seen[i] = bits | bytes.charCodeAt(i));
    }
    expect([...seen]).toEqual(Array(32).fill(0xff));
    // By its alphabet, every one of the 64 characters turns up.
    expect(new Set(made.join("")).size).toBe(64);
  });
});

describe("codeChallenge()", () => {
  test("returns the challenge of RFC 7636 appendix B", async () => {
    expect(await codeChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
      .toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  });

  test("accepts the verifiers of generateCodeVerifier()", async () => {
    expect(await codeChallenge(generateCodeVerifier())).toMatch(/^[\w-]{43}$/);
  });

  test.each([
    ["a".repeat(43), "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA"],
    ["~.-_".repeat(32), "ANCOjIGeodlzy35s3-QtjnTEZKVRcftIGhVl7TKysuU"],
    [
      "M25iVXpKU3puUjFaYWg3T1NDTDQtcW1ROUY5YXlwalNoc0hhakxifmZHag",
      "qjrzSW9gMiUgpUvqgEPE4_-8swvyCtfOVvg55o5S_es",
    ],
    [
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~",
      "7SjWf5Of9twuEYtSj6OLPS7Cghq5qnlkvYWqFFxRvWo",
    ],
  ])("returns the same challenge for %s as OpenSSL", async (verifier, challenge) => {
    expect(await codeChallenge(verifier)).toBe(challenge);
  });

  test.each([43, 128])("accepts a verifier of %d characters", async (length) => {
    expect(await codeChallenge("-._~aZ09".repeat(16).slice(0, length))).toMatch(/^[\w-]{43}$/);
  });

  test("says that crypto.subtle is missing", async () => {
    const verifier = generateCodeVerifier();
    vi.stubGlobal("crypto", {});
    await expect(codeChallenge(verifier)).rejects.toThrow(
      new TypeError("crypto.subtle is missing: use https, or pass a codeChallenge"),
    );
    vi.unstubAllGlobals();
  });

  test.each<[string, unknown, string]>([
    ["42 characters", "x".repeat(42), "received a string of length 42"],
    ["129 characters", "x".repeat(129), "received a string of length 129"],
    ["a space", `${"x".repeat(43)} `, "received a string of length 44"],
    ["a line break at the end", `${"x".repeat(43)}\n`, "received a string of length 44"],
    ["padding", `${"x".repeat(43)}=`, "received a string of length 44"],
    ["a letter beyond ASCII", `${"x".repeat(43)}é`, "received a string of length 44"],
    ["nothing", "", "received an empty string; is the variable set?"],
    ["the text undefined", "undefined", "received undefined; is the variable set?"],
    ["undefined", undefined, "received undefined; is the variable set?"],
    ["null", null, "received null; is the variable set?"],
    ["a list", ["x".repeat(43)], "received a list of 1"],
  ])("refuses %s without showing it", async (_, verifier, received) => {
    await expect(codeChallenge(verifier as string)).rejects.toThrow(
      new TypeError(`codeVerifier must be 43 to 128 unreserved characters, ${received}`),
    );
  });
});
