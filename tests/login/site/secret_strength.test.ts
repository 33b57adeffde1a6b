import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateState } from "../../../mod.ts";
import type { LoginOptions } from "../../../src/login/mod.ts";
import { Login } from "../../../src/login/mod.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";

const clientSecret = "the-Text_of.32-characters-or-more";
const secret = generateState();

function loginWith(options: Partial<LoginOptions>): Login {
  return new Login({ clientId: "1", clientSecret, scope: ["identify"], secret, ...options });
}

const simple = "abcdefg".repeat(9);

const guessable: readonly (readonly [text: string, weakness: string])[] = [
  ["x".repeat(32), "text with fewer than 8 different characters"],
  [simple, "text with fewer than 8 different characters"],
  [clientSecret, "the client secret"],
  ["changeme-changeme-changeme-changeme", "a repeated text"],
  ["changeme1changeme2changeme3changeme4", "a repeated text"],
  ["Passw0rd-passw0rd-PASSW0RD-passw0rd", "a repeated text"],
  ["keyboard cat keyboard cat keyboard cat", "a repeated text"],
  ["0123456789abcdef0123456789abcdef", "a repeated text"],
  ["your-secret-here-your-secret-here", "a repeated text"],
  ["correct horse battery staple correct horse battery staple", "a repeated text"],
  ["0123456789abcdefghijklmnopqrstuvwxyz", "a sequence of characters"],
  ["zyxwvutsrqponmlkjihgfedcba9876543210", "a sequence of characters"],
  ["00112233445566778899aabbccddeeff", "a sequence of characters"],
  ["000102030405060708090a0b0c0d0e0f", "a sequence of characters"],
  ["a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6", "a sequence of characters"],
  ["qwertyuiopasdfghjklzxcvbnm1234567890", "a sequence of characters"],
  ["your-secret-here-at-least-32-characters", "a placeholder"],
  ["CHANGE_ME to a long and random text", "a placeholder"],
];

describe("The newest secret of a login", () => {
  test.each(guessable)("is refused if it is %s", (text, weakness) => {
    const message =
      `secret must be random text (npx @guildpass/sdk secret prints it), received ${weakness}`;
    expect(() => loginWith({ secret: text })).toThrow(new TypeError(message));
    expect(message).not.toContain(text);
    expect(() => loginWith({ secret: [text, secret] }))
      .toThrow(new TypeError(message.replace("secret", "secret[0]")));
    // The fake platform in memory has a public address.
    const { platform } = createFakePlatform();
    expect(() => loginWith({ secret: text, platform })).toThrow(TypeError);
  });

  test.each(["http://localhost:8787", "http://127.0.0.1", "http://[::1]:3000"])(
    "may be any of these while the platform is on this machine, at %s",
    (origin) => {
      const { platform } = createFakePlatform({ origin });
      for (const [text] of guessable) {
        expect(loginWith({ secret: text, platform })).toBeInstanceOf(Login);
      }
    },
  );

  test.each([
    "tr0ub4dor&3 and eight more words for me",
    "abcdefghijklmnop-jumps-over-lazy-dogs",
    "never the same part twice, as parts go",
    "The sequence 01234567 is not all of it",
    "-----BEGIN PRIVATE KEY-----MC4CAQAwBQYDK2VwBCIEIJ",
    "changer-mesmerizes-yours-secretly",
  ])("is accepted if it is %j", (text) => {
    expect(loginWith({ secret: text })).toBeInstanceOf(Login);
  });

  // Without the bias, since fast-check otherwise prefers special bytes.
  const bytes = (length: number) =>
    fc.noBias(fc.uint8Array({ minLength: length, maxLength: length }));
  const encoded = (length: number, encoding: BufferEncoding) =>
    bytes(length).map((given) => Buffer.from(given).toString(encoding));
  const words =
    "anvil brook cedar dusty ember fable gravel hazel ivory jungle kettle lumen mossy nickel opal"
      .split(" ");
  const chosenWords = fc.uniqueArray(fc.constantFrom(...words), { minLength: 8, maxLength: 8 });
  test.each<[string, fc.Arbitrary<string>]>([
    ["32 random bytes in hex", encoded(32, "hex")],
    ["32 random bytes in base64", encoded(32, "base64")],
    ["32 random bytes in base64url", encoded(32, "base64url")],
    ["80 random digits", bytes(80).map((given) => [...given].map((byte) => byte % 10).join(""))],
    ["two UUIDs", bytes(32).map((given) => uuidOf(given.subarray(16)) + uuidOf(given))],
    ["a passphrase", chosenWords.map((chosen) => chosen.join("-"))],
  ])("is accepted each time in 10,000 if it is %s", (_what, secrets) => {
    fc.assert(
      fc.property(secrets, (text) => void loginWith({ secret: text })),
      { numRuns: 10_000 },
    );
  });
});

function uuidOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}

test("An older secret of a login may be guessable while it is replaced, and has 32 characters", () => {
  for (const [text] of guessable) {
    expect(loginWith({ secret: [secret, text] })).toBeInstanceOf(Login);
  }
  expect(() => loginWith({ secret: [secret, "sh0rt"] })).toThrow("secret[1] must be random text");
});
