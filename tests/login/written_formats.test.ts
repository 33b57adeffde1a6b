import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { MemoryStore, sealed, type Store, TokenSource } from "../../mod.ts";
import kept from "./fixtures/format_3.json" with { type: "json" };
import { type Fixture, makeFixture, memberOptions } from "./fixtures/make.ts";
import { createApp } from "./test_app.ts";

/** The keys and types of values, in JSON, by their places. */
type Shapes = Record<string, string[]>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: kept.madeAt });
  onTestFinished(() => void vi.useRealTimers());
});

// An older version that shares the store reads these too. A change needs a new number in `src/stores/names.ts`, and new fixtures.
test("Cookies and records have the keys and types of the fixtures with the same number of the format", async () => {
  const shapes = await shapesIn(kept);
  expect(Object.keys(shapes)).toEqual([
    "discord:*",
    "guildpass:progress:*",
    "guildpass:sessions-of:*",
    "sealed <digest>",
    "sealed ada",
    "sealed guildpass:membership-of:*",
    "sealed guildpass:token-of:*",
    "sealed login.*",
    "sealed outcome",
    "sealed session token",
    "sealed session",
    "sealed session.owners",
    "sealed token",
  ]);
  expect(await shapesIn(await makeFixture())).toEqual(shapes);
});

/** Opens everything in a fixture, and returns the shapes of its plain values and of all decrypted ones. */
async function shapesIn({ secret, cookies, store, tokens, sealed: encrypted }: Fixture) {
  const shapes: Shapes = {};
  const add = (place: string, value: unknown) => {
    const name = place.replace(/(?<=^(?:sealed )?(?:guildpass:[\w-]+:|discord:|login\.)).*/, "*")
      .replace(/^sealed [\w-]{43}$/, "sealed <digest>");
    const shape = JSON.stringify(shapeOf(value));
    shapes[name] = [...new Set([...shapes[name] ?? [], shape])].sort();
  };
  for (const [key, value] of [...store, ...tokens.entries]) {
    if (typeof value !== "string") add(String(key), value);
  }
  const decrypt = vi.spyOn(crypto.subtle, "decrypt");
  try {
    await openAll({ secret, cookies, store, encrypted });
    for (const { value: decrypted } of decrypt.mock.settledResults) {
      const { name, value } = JSON.parse(new TextDecoder().decode(decrypted));
      add(`sealed ${name}`, value);
    }
  } finally {
    decrypt.mockRestore();
  }
  return Object.fromEntries(Object.entries(shapes).sort());
}

async function openAll(
  { secret, cookies, store: entries, encrypted }:
    & Pick<Fixture, "secret" | "cookies" | "store">
    & { readonly encrypted: Fixture["sealed"] },
): Promise<void> {
  const store = await storeWith(entries);
  const requestWith = (cookie: string, url = "https://app.example/") =>
    new Request(url, { headers: { cookie } });
  const readers = [
    [{}, cookies.session],
    [{ keepToken: true }, cookies.sessionWithToken],
    [{ name: "owners" }, cookies.sessionWithName],
    [{ store }, cookies.storedSession],
    [{ store, name: "owners" }, cookies.storedSessionWithName],
    [{ store, backgroundTokens: true }, cookies.storedSessionWithSharedToken],
    [{ store, ...memberOptions }, cookies.storedSessionWithMember],
  ] as const;
  for (const [options, cookie] of readers) {
    const session = await createApp({ secret, ...options }).login.session(requestWith(cookie));
    if (session?.token instanceof TokenSource) await session.token.token();
  }
  await createApp({ secret, store, name: "owners" }).login.sessionsOf(kept.user.id);
  for (const name of ["pending", "completed", "refused", "failed", "postponed"] as const) {
    const { cookie, callback } = cookies[name];
    const { login, fake } = createApp({ secret, store });
    // The platform does not know the tokens of the fixture. Only the requests that read the records matter.
    fake.failNext({ status: 401, times: Infinity });
    await login.finish(requestWith(cookie, callback)).catch(() => {});
  }
  await sealed(await storeWith(encrypted.entries), encrypted.secret).load(encrypted.key);
}

async function storeWith(entries: Fixture["store"]): Promise<Store> {
  const store = new MemoryStore();
  for (const [key, value, expiresAt] of entries) {
    await store.save(String(key), value, { version: null, expiresAt: expiresAt as number | null });
  }
  return store;
}

/** Returns the type of a JSON value, with its keys or the different shapes of its items. Texts that code branches on stay as they are. */
function shapeOf(value: unknown, key = ""): unknown {
  if (["format", "status", "reason"].includes(key)) return value;
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  if (Array.isArray(value)) {
    return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort();
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, shapeOf(field, name)]).sort(),
  );
}
