import { base64url, compactDecrypt, decodeProtectedHeader } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createKeySealer, createSealer, sealedForm } from "../../src/stores/sealer.ts";

const secret = "a secret that has thirty-two characters";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("A sealer with a key", () => {
  const key = Uint8Array.from({ length: 32 }, (_, index) => index);

  test("opens what it sealed under the same name, and nothing that another key sealed", async () => {
    const sealer = createKeySealer(key);
    const text = await sealer.seal("ada", { token: "t0ken" });
    expect(await sealer.open("ada", text)).toEqual({ token: "t0ken" });
    expect(await sealer.open("grace", text)).toBeNull();
    expect(await createKeySealer(key.toReversed()).open("ada", text)).toBeNull();
  });

  test("makes a JWE that another library opens with the key, and that names no key", async () => {
    const text = await createKeySealer(key).seal("ada", 1);
    expect(decodeProtectedHeader(text)).toEqual({ alg: "dir", enc: "A256GCM" });
    const { plaintext } = await compactDecrypt(text, key);
    expect(new TextDecoder().decode(plaintext)).toBe('{"name":"ada","value":1}');
  });
});

describe("A sealer", () => {
  test("makes keys that can't be exported", async () => {
    const importKey = vi.spyOn(crypto.subtle, "importKey");
    await createSealer("secret", secret, "test").seal("ada", 1);
    await createKeySealer(new Uint8Array(32)).seal("ada", 1);
    expect(importKey.mock.calls.map(([, , , isExtractable]) => isExtractable))
      .toEqual([false, false, false]);
  });

  test("derives its keys once", async () => {
    const deriveBits = vi.spyOn(crypto.subtle, "deriveBits");
    const sealer = createSealer("secret", secret, "test");
    await sealer.open("ada", await sealer.seal("ada", 1));
    await sealer.seal("ada", 2);
    expect(deriveBits).toHaveBeenCalledTimes(1);
  });

  test("opens nothing that was sealed for another purpose", async () => {
    const text = await createSealer("secret", secret, "test").seal("ada", 1);
    expect(await createSealer("secret", secret, "test").open("ada", text)).toBe(1);
    expect(await createSealer("secret", secret, "another").open("ada", text)).toBeNull();
  });

  test("opens no text whose vector or tag has another length", async () => {
    const sealer = createSealer("secret", secret, "test");
    // A tag that ends in a zero byte would still fit without that byte.
    for (let texts = 0; texts < 600; texts++) {
      const [header, key, iv = "", content, tag = ""] = (await sealer.seal("ada", 1)).split(".");
      const others = [
        [iv.slice(0, -1), tag],
        [`${iv}AA`, tag],
        [iv, tag.slice(0, 20)],
        [iv, `${tag}AA`],
      ];
      const opened = others.map(([otherIv, otherTag]) =>
        sealer.open("ada", [header, key, otherIv, content, otherTag].join("."))
      );
      expect(await Promise.all(opened)).toEqual([null, null, null, null]);
    }
  });

  test("opens no list with a sealed text", async () => {
    const sealer = createSealer("secret", secret, "test");
    expect(await sealer.open("ada", [await sealer.seal("ada", 1)])).toBeNull();
  });
});

describe("The form of a sealed text", () => {
  const [iv, tag] = [base64url.encode(new Uint8Array(12)), base64url.encode(new Uint8Array(16))];

  test("fits what a sealer makes", async () => {
    const text = await createSealer("secret", secret, "test").seal("ada", 1);
    expect(text).toMatch(sealedForm);
    expect(`h..${iv}.c.${tag}`).toMatch(sealedForm);
  });

  test.each([
    ["no header", `..${iv}.c.${tag}`],
    ["an encrypted key", `h.k.${iv}.c.${tag}`],
    ["no content", `h..${iv}..${tag}`],
    ["text before it", ` h..${iv}.c.${tag}`],
    ["text after it", `h..${iv}.c.${tag}\n`],
    ["other letters in the header", `h+..${iv}.c.${tag}`],
    ["other letters in the vector", `h..${iv.slice(1)}+.c.${tag}`],
    ["other letters in the content", `h..${iv}.+.${tag}`],
    ["other letters in the tag", `h..${iv}.c.${tag.slice(1)}+`],
    ["other marks between its parts", `h-.${iv}-c-${tag}`],
  ])("does not fit a text with %s", (_what, text) => {
    expect(text).not.toMatch(sealedForm);
  });
});
