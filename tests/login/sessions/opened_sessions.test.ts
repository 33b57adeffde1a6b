import { describe, expect, test, vi } from "vitest";
import { OpenedSessions } from "../../../src/login/sessions/open_session.ts";
import { createKeySealer } from "../../../src/stores/sealed.ts";

interface Content {
  readonly format: number;
  readonly user: { readonly name: string };
}

/** Returns an empty {@link OpenedSessions} with a sealer that counts what it opens. */
function create() {
  const sealer = createKeySealer(new Uint8Array(32));
  const decrypt = vi.spyOn(sealer, "open");
  const sessions = new OpenedSessions<Content>();
  return {
    open: (name: string, text: unknown) => sessions.open(sealer, name, text),
    seal: (name: string, user = "Ada") => sealer.seal(name, { format: 3, user: { name: user } }),
    count: () => decrypt.mock.calls.length,
    decrypt,
  };
}

describe("A sealed session", () => {
  test("is decrypted once, and its content is frozen, since several requests share it", async () => {
    const { open, seal, count } = create();
    const text = await seal("a");
    const content = await open("a", text);
    expect(content).toEqual({ format: 3, user: { name: "Ada" } });
    expect(Object.isFrozen(content)).toBe(true);
    expect(Object.isFrozen(content?.user)).toBe(true);
    expect(await open("a", text)).toBe(content);
    expect(count()).toBe(1);
  });

  test("counts once toward the limit, however many requests open it at the same time", async () => {
    const { open, decrypt } = create();
    decrypt.mockImplementation(async () => {
      await null;
      return { format: 3, user: { name: "Ada" } };
    });
    const texts = Array.from({ length: 20 }, (_, at) => String(at).padEnd(100_000, "x"));
    for (const text of texts) await Promise.all([1, 2, 3].map(() => open("a", text)));
    decrypt.mockClear();
    for (const text of texts) await open("a", text);
    expect(decrypt).not.toHaveBeenCalled();
  });

  test("does not open under another name, also after it was opened under its own", async () => {
    const { open, seal } = create();
    const text = await seal("a");
    await open("a", text);
    expect(await open("b", text)).toBeNull();
  });

  test("is decrypted anew after each change", async () => {
    const { open, seal, count } = create();
    const [before, after] = [await seal("a"), await seal("a", "Grace")];
    expect((await open("a", before))?.user.name).toBe("Ada");
    expect((await open("a", after))?.user.name).toBe("Grace");
    expect((await open("a", before))?.user.name).toBe("Ada");
    expect(count()).toBe(2);
  });

  test("is not kept if it can't be opened, or has another format", async () => {
    const { open, seal, count } = create();
    const changed = (await seal("a")).slice(0, -1);
    const other = await createKeySealer(new Uint8Array(32)).seal("a", { format: 0 });
    for (const text of [changed, other]) {
      expect(await open("a", text)).toBeNull();
      expect(await open("a", text)).toBeNull();
    }
    expect(count()).toBe(4);
  });

  test("is only a text, whatever a damaged store returns", async () => {
    const { open, seal } = create();
    const text = await seal("a");
    await open("a", text);
    for (const value of [null, 7, {}, [text], { toString: "", valueOf: "" }]) {
      expect(await open("a", value)).toBeNull();
    }
  });

  test("is kept while the kept texts have at most 4,000,000 characters, of which one has at most 250,000", async () => {
    const { open, decrypt } = create();
    decrypt.mockImplementation(() => Promise.resolve({ format: 3, user: { name: "Ada" } }));
    // The name and a space are part of the text.
    const textOf = (at: number, length: number) => String(at).padEnd(length - "a ".length, "x");
    const isKept = async (text: string) => {
      decrypt.mockClear();
      await open("a", text);
      return decrypt.mock.calls.length === 0;
    };
    const long = textOf(0, 250_001);
    await open("a", long);
    expect(await isKept(long)).toBe(false);
    const texts = Array.from({ length: 16 }, (_, at) => textOf(at + 1, 250_000));
    for (const text of texts) await open("a", text);
    for (const text of texts) expect(await isKept(text)).toBe(true);
    const next = textOf(17, 10);
    await open("a", next);
    expect(await isKept(next)).toBe(true);
    expect(await isKept(textOf(1, 250_000))).toBe(false);
  });
});
