import * as fc from "fast-check";
import { base64url, compactDecrypt, CompactEncrypt, decodeProtectedHeader } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { MemoryStore } from "../../src/stores/memory_store.ts";
import { createKeySealer, createSealer, sealed, sealedForm } from "../../src/stores/sealed.ts";
import type { Store } from "../../src/stores/store.ts";
import { checkStore } from "../../src/testing/mod.ts";
import { leaksOf } from "../support/leaks.ts";

const oldest = "the oldest secret, of 32 characters at least";
const older = "an older secret, also of 32 characters or more";
const newest = "the newest secret, which has enough characters";

test("A sealed store keeps the contract of a store", async () => {
  await checkStore(sealed(new MemoryStore(), newest));
});

describe("A sealed store", () => {
  test("hides the value from the store below, and passes everything else on", async () => {
    const { below, store } = sealedStore(newest);
    const expiresAt = Date.now() + 60_000;
    const version = await store.save("ada", { token: "t0ken of Ada" }, {
      version: null,
      expiresAt,
    });
    expect(await store.load("ada")).toEqual({ value: { token: "t0ken of Ada" }, version });
    expect(leaksOf(await below.load("ada"), ["t0ken of Ada", newest])).toEqual([]);
    expect(below.saves).toEqual([["ada", expect.any(String), { version: null, expiresAt }]]);
  });

  test("refuses JSON text from the store below, which would look like an unreadable value", async () => {
    const { below, store } = sealedStore(newest);
    await store.save("ada", 1, { version: null });
    const found = await below.load("ada");
    await below.save("ada", JSON.stringify(found?.value), { version: found?.version ?? null });
    await expect(store.load("ada")).rejects.toThrow("received its JSON text: parse it");
  });

  test("opens every JSON value that it sealed, under any key", async () => {
    const { store } = sealedStore(newest);
    const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit }),
        fc.jsonValue(),
        async (key, value) => {
          await store.delete(key);
          await store.save(key, value, { version: null });
          const loaded = await store.load(key);
          expect(loaded?.value).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
      { numRuns: 200 },
    );
  });

  test("seals a value of some megabytes", async () => {
    const { store } = sealedStore(newest);
    const value = Array.from({ length: 50_000 }, (_, i) => ({ id: `${i}`, name: "é".repeat(20) }));
    await store.save("ada", value, { version: null });
    expect((await store.load("ada"))?.value).toEqual(value);
  });

  test("seals the same value to another text each time", async () => {
    const { below, store } = sealedStore(newest);
    const version = await store.save("ada", 1, { version: null });
    const first = await below.load("ada");
    await store.save("ada", 1, { version });
    expect((await below.load("ada"))?.value).not.toBe(first?.value);
  });

  test("loads null and the version for a value that it can't open, so that it can be replaced", async () => {
    const { below, store } = sealedStore(newest);
    for (
      const [key, value] of Object.entries({ number: 1, text: "in clear", object: {}, no: null })
    ) {
      const version = await below.save(key, value, { version: null });
      expect(await store.load(key)).toEqual({ value: null, version });
      expect(await store.save(key, "replaced", { version })).toEqual(expect.any(String));
      expect(await store.load(key)).toMatchObject({ value: "replaced" });
    }
  });

  test("does not open the text of one key under another one", async () => {
    const { below, store } = sealedStore(newest);
    await store.save("ada", "of Ada", { version: null });
    await below.save("grace", (await below.load("ada"))?.value, { version: null });
    expect(await store.load("grace")).toMatchObject({ value: null });
    expect(await store.load("ada")).toMatchObject({ value: "of Ada" });
  });

  test("does not open a text that was changed or cut at any place", async () => {
    const { below, store } = sealedStore(newest);
    await store.save("ada", { token: "t0ken" }, { version: null });
    const text = String((await below.load("ada"))?.value);
    const openAs = async (changed: string) => {
      const { version = null } = await below.load("ada") ?? {};
      await below.save("ada", changed, { version });
      return (await store.load("ada"))?.value;
    };
    const bytesIn = (text: string) => text.split(".").map((part) => base64url.decode(part).join());
    for (let at = 0; at < text.length; at++) {
      const letter = text[at] === "A" ? "B" : "A";
      const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
      expect(await openAs(text.slice(0, at)), `cut at ${at}`).toBeNull();
      // Of the last character of a part, base64url leaves some bits unused.
      if (text[at] !== "." && String(bytesIn(changed)) === String(bytesIn(text))) continue;
      expect(await openAs(changed), `changed at ${at}`).toBeNull();
    }
    expect(await openAs(text)).toEqual({ token: "t0ken" });
  });
});

describe("The secrets of a sealed store", () => {
  test("each open the values that they sealed, and the newest seals", async () => {
    const below = new RecordingStore();
    await sealed(below, oldest).save("first", 1, { version: null });
    await sealed(below, [older, oldest]).save("second", 2, { version: null });
    const store = sealed(below, [newest, older, oldest]);
    await store.save("third", 3, { version: null });
    expect(await valuesOf(store)).toEqual([1, 2, 3]);
    expect(await valuesOf(sealed(below, [older, oldest]))).toEqual([1, 2, null]);
    expect(await valuesOf(sealed(below, newest))).toEqual([null, null, 3]);
  });

  test("do not change when the caller's list changes", async () => {
    const secrets: [string, ...string[]] = [newest];
    const below = new RecordingStore();
    const store = sealed(below, secrets);
    secrets[0] = oldest;
    await store.save("first", 1, { version: null });
    expect(await sealed(below, newest).load("first")).toMatchObject({ value: 1 });
  });

  test("can't be derived from the stored text, not even from the id of its key", async () => {
    const { below, store } = sealedStore(newest);
    await store.save("ada", 1, { version: null });
    const header = decodeProtectedHeader(String((await below.load("ada"))?.value));
    expect(header).toEqual({
      alg: "dir",
      enc: "A256GCM",
      kid: expect.stringMatching(/^[\w-]{11}$/),
    });
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(newest));
    expect(base64url.encode(new Uint8Array(digest))).not.toContain(header["kid"]);
    expect(leaksOf(store, [newest])).toEqual([]);
  });

  test("may have 32 characters", () => {
    expect(() => sealed(new MemoryStore(), "S3cret".padEnd(32, "."))).not.toThrow();
  });

  test.each<[string, unknown, string]>([
    [
      "nothing",
      undefined,
      "secrets must be random text of at least 32 characters (npx @guildpass/sdk secret prints it), or a list of such texts with the newest first, received undefined; is",
    ],
    [
      "an empty list",
      [],
      "secrets must be random text of at least 32 characters (npx @guildpass/sdk secret prints it), or a list of such texts with the newest first, received an empty list",
    ],
    [
      "an empty text",
      "",
      "secrets must be random text of at least 32 characters (npx @guildpass/sdk secret prints it), received an empty string; is",
    ],
    ["a short one", "short S3cret", "secrets must be random text of at least 32 characters"],
    ["a short newest one", ["short S3cret", older], "secrets[0] must be random text of at least"],
    [
      "one that is too short by a character",
      "S3cret".padEnd(31, "."),
      "secrets must be random text",
    ],
    ["a short old one", [newest, "short S3cret"], "secrets[1] must be random text of at least 32"],
    [
      "an unset old one",
      [newest, undefined],
      "secrets[1] must be random text of at least 32 characters (npx @guildpass/sdk secret prints it), received undefined; is the variable set?",
    ],
    ["bytes", new Uint8Array(32), "secrets must be random text"],
  ])("are refused with a message that says what to do: %s", (_what, secrets, message) => {
    const create = () => sealed(new MemoryStore(), secrets as string);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
    expect(create).not.toThrow("S3cret");
  });

  test.each([[`a string of length ${newest.length}`, newest], ["undefined", undefined]])(
    "are refused without a store: %s",
    (kind, store) => {
      const create = () => sealed(store as unknown as Store, newest);
      expect(create).toThrow(`store must be a Store with load, save and delete, received ${kind}`);
    },
  );
});

/** Texts that an attacker could write to the database without a secret, knowing how sealed texts are made. */
describe("A forged text is not opened:", () => {
  const content = JSON.stringify({ name: "ada", value: "forged" });
  const bytes = new TextEncoder().encode(content);
  const keyOfOthers = crypto.getRandomValues(new Uint8Array(32));

  test.each<[string, (kid: string) => Promise<string>]>([
    [
      "sealed with another key, under the id of ours",
      (kid) =>
        new CompactEncrypt(bytes).setProtectedHeader({ alg: "dir", enc: "A256GCM", kid })
          .encrypt(keyOfOthers),
    ],
    [
      "sealed with no id of a key",
      () =>
        new CompactEncrypt(bytes).setProtectedHeader({ alg: "dir", enc: "A256GCM" })
          .encrypt(keyOfOthers),
    ],
    ["with a password of its own", (kid) =>
      new CompactEncrypt(bytes)
        .setProtectedHeader({ alg: "PBES2-HS256+A128KW", enc: "A256GCM", kid })
        .encrypt(new TextEncoder().encode("password"))],
    [
      "for another algorithm",
      (kid) =>
        new CompactEncrypt(bytes).setProtectedHeader({ alg: "A256KW", enc: "A256GCM", kid })
          .encrypt(keyOfOthers),
    ],
    [
      "for another encryption",
      (kid) =>
        new CompactEncrypt(bytes).setProtectedHeader({ alg: "dir", enc: "A256CBC-HS512", kid })
          .encrypt(crypto.getRandomValues(new Uint8Array(64))),
    ],
    [
      "in clear, said to be signed by nobody",
      (kid) =>
        Promise.resolve(
          `${base64url.encode(JSON.stringify({ alg: "none", kid }))}.${base64url.encode(content)}.`,
        ),
    ],
    [
      "with empty parts",
      (kid) =>
        Promise.resolve(
          `${base64url.encode(JSON.stringify({ alg: "dir", enc: "A256GCM", kid }))}....`,
        ),
    ],
  ])("%s", async (_how, forge) => {
    const { below, store } = sealedStore(newest);
    await store.save("grace", 1, { version: null });
    const { kid } = decodeProtectedHeader(String((await below.load("grace"))?.value));
    await below.save("ada", await forge(String(kid)), { version: null });
    expect(await store.load("ada")).toMatchObject({ value: null });
  });
});

test("A sealed text is a JWE for other libraries, with the documented derivation of the key", async () => {
  const { below, store } = sealedStore(newest);
  await store.save("ada", { token: "t0ken" }, { version: null });
  const material = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(newest),
    "HKDF",
    false,
    ["deriveBits"],
  );
  const key = await crypto.subtle.deriveBits(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: new TextEncoder().encode("@guildpass/sdk sealed store"),
    },
    material,
    256 + 64,
  );
  const { plaintext } = await compactDecrypt(
    String((await below.load("ada"))?.value),
    new Uint8Array(key, 0, 32),
  );
  expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual({
    name: "ada",
    value: { token: "t0ken" },
  });
});

/** A store that remembers what it was asked to save. */
class RecordingStore extends MemoryStore {
  readonly saves: unknown[] = [];

  override save(...args: Parameters<MemoryStore["save"]>): Promise<string | null> {
    this.saves.push(args);
    return super.save(...args);
  }
}

function sealedStore(secret: string): { below: RecordingStore; store: Store } {
  const below = new RecordingStore();
  return { below, store: sealed(below, secret) };
}

async function valuesOf(store: Store): Promise<unknown[]> {
  const loaded = await Promise.all(["first", "second", "third"].map((key) => store.load(key)));
  return loaded.map((entry) => entry?.value);
}

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
    await createSealer(secret, "test").seal("ada", 1);
    await createKeySealer(new Uint8Array(32)).seal("ada", 1);
    expect(importKey.mock.calls.map(([, , , isExtractable]) => isExtractable))
      .toEqual([false, false, false]);
  });

  test("derives its keys once", async () => {
    const deriveBits = vi.spyOn(crypto.subtle, "deriveBits");
    const sealer = createSealer(secret, "test");
    await sealer.open("ada", await sealer.seal("ada", 1));
    await sealer.seal("ada", 2);
    expect(deriveBits).toHaveBeenCalledTimes(1);
  });

  test("opens nothing that was sealed for another purpose", async () => {
    const text = await createSealer(secret, "test").seal("ada", 1);
    expect(await createSealer(secret, "test").open("ada", text)).toBe(1);
    expect(await createSealer(secret, "another").open("ada", text)).toBeNull();
  });

  test("opens no text whose vector or tag has another length", async () => {
    const sealer = createSealer(secret, "test");
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
    const sealer = createSealer(secret, "test");
    expect(await sealer.open("ada", [await sealer.seal("ada", 1)])).toBeNull();
  });
});

describe("The form of a sealed text", () => {
  const [iv, tag] = [base64url.encode(new Uint8Array(12)), base64url.encode(new Uint8Array(16))];

  test("fits what a sealer makes", async () => {
    const text = await createSealer(secret, "test").seal("ada", 1);
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
