import { describe, expect, test, vi } from "vitest";
import { OpenedSessions } from "../../../src/login/sessions/opened_sessions.ts";
import { createKeySealer } from "../../../src/stores/sealed.ts";

interface Content {
  readonly format: number;
  readonly user: { readonly name: string };
}

/** Returns an empty {@link OpenedSessions} with a sealer that counts what it opens. */
function create() {
  const sealer = createKeySealer(new Uint8Array(32));
  const open = vi.spyOn(sealer, "open");
  const sessions = new OpenedSessions<Content>();
  return {
    open: (name: string, text: unknown) => sessions.open(sealer, name, text),
    seal: (name: string, user = "Ada") => sealer.seal(name, { format: 2, user: { name: user } }),
    count: () => open.mock.calls.length,
  };
}

describe("A sealed session", () => {
  test("is decrypted once, and its content is frozen, since several requests share it", async () => {
    const { open, seal, count } = create();
    const text = await seal("a");
    const content = await open("a", text);
    expect(content).toEqual({ format: 2, user: { name: "Ada" } });
    expect(Object.isFrozen(content)).toBe(true);
    expect(Object.isFrozen(content?.user)).toBe(true);
    expect(await open("a", text)).toBe(content);
    expect(count()).toBe(1);
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

  test("is kept up to the size of a cookie, and as one of the last 1,000", async () => {
    const { open, seal, count } = create();
    const short = await seal("a");
    await open("a", short);
    const long = await seal("a", "x".repeat(3000));
    expect(long.length).toBeGreaterThan(4096);
    expect(await open("a", long)).toEqual(await open("a", long));
    expect(count()).toBe(3);
    for (let at = 1; at < 1000; at++) await open("a", await seal("a", String(at)));
    await open("a", short);
    expect(count()).toBe(1002);
    for (let at = 0; at < 1000; at++) await open("a", await seal("a", String(at)));
    await open("a", short);
    expect(count()).toBe(2003);
  });
});
