import { expect, test, vi } from "vitest";
import { MemoryStore, type SaveOptions, type StoredValue } from "../../mod.ts";
import { Browser, createApp, exchanges } from "./test_app.ts";

/** A store whose author forgot a `return`. */
class ForgetfulStore extends MemoryStore {
  // deno-lint-ignore require-await -- asynchronous by contract, as every store is
  override async save(key: string, value: unknown, options: SaveOptions): Promise<string | null> {
    super.save(key, value, options);
    return undefined as never;
  }
}

test("A store whose save() forgets its return ends the first login in a TypeError, before the code is sent", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const app = createApp({ store: new ForgetfulStore() });
  const browser = new Browser(app);
  const callback = await browser.consent();
  const finished = app.login.finish(browser.jar.request(callback));
  await expect(finished).rejects.toThrow(TypeError);
  await expect(finished).rejects.toThrow(
    /store\.save\(\) must return the new version as a string.*checkStore\(\)/,
  );
  const other = new Browser(app);
  expect((await other.open(await other.consent())).status).toBe(500);
  expect(log.mock.calls.flat().join("\n")).toContain("store.save() must return");
  expect(exchanges(app)).toBe(0);
  log.mockRestore();
});

/** A store without the parsing of the JSON text from its database. */
class UnparsedStore extends MemoryStore {
  override async load(key: string): Promise<StoredValue | null> {
    const found = await super.load(key);
    return found && { ...found, value: JSON.stringify(found.value) };
  }
}

test("A store whose load() returns JSON text ends in a TypeError instead of one login after the other", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const app = createApp({ store: new UnparsedStore() });
  const browser = new Browser(app);
  const page = await browser.open(await browser.consent());
  expect(page.status).toBe(500);
  expect(log.mock.calls.flat().join("\n")).toContain("received its JSON text: parse it");
  log.mockRestore();
});
