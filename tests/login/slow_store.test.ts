import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryStore, type Store, StoreTimeoutError } from "../../mod.ts";
import { thrownBy } from "../support/responders.ts";
import { Browser, createApp, exchanges, locationOf, SITE } from "./test_app.ts";

/** Long enough for what does not hang, on a busy machine. */
const timeout = 1000;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A store with one operation, counted from 0, that never ends, whether or not it is done; all end when it is `null`. */
function hangingStore() {
  const memory = new MemoryStore();
  const state = { hangsAt: null as number | null, isDone: false, operations: 0 };
  const run = async <Value>(operation: () => Promise<Value>): Promise<Value> => {
    if (state.operations++ !== state.hangsAt) return await operation();
    if (state.isDone) await operation();
    return await new Promise(() => {});
  };
  const store: Store = {
    load: (key) => run(() => memory.load(key)),
    save: (key, value, options) => run(() => memory.save(key, value, options)),
    delete: (key) => run(() => memory.delete(key)),
  };
  return { store, state };
}

/** A store that never responds again once it hangs. */
function deadStore() {
  const memory = new MemoryStore();
  const state = { hangs: false };
  const run = <Value>(operation: () => Promise<Value>): Promise<Value> =>
    state.hangs ? new Promise<never>(() => {}) : operation();
  const store: Store = {
    load: (key) => run(() => memory.load(key)),
    save: (key, value, options) => run(() => memory.save(key, value, options)),
    delete: (key) => run(() => memory.delete(key)),
  };
  return { store, state };
}

describe("When the store does not respond,", () => {
  test("session(), start(), update(), finish(), end(), endAll() and the calls for single sessions throw a StoreTimeoutError", async () => {
    const { store, state } = deadStore();
    const app = createApp({ store, timeout });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    const callback = await browser.consent();
    const request = (path: string, init?: RequestInit) => browser.jar.request(SITE + path, init);
    state.hangs = true;
    const thrown = await Promise.all([
      thrownBy(() => app.login.session(request("/"))),
      thrownBy(() => app.login.start(request("/"))),
      thrownBy(() => app.login.update(request("/"), { id: "1", username: "ada" })),
      thrownBy(() => app.login.finish(browser.jar.request(callback))),
      thrownBy(() => app.login.end(request("/", { method: "POST" }))),
      thrownBy(() => app.login.end(request("/", { method: "POST" }), { everywhere: true })),
      thrownBy(() => app.login.endAll("1000000000000000001")),
      thrownBy(() => app.login.sessionsOf("1000000000000000001")),
      thrownBy(() => app.login.endSession("1000000000000000001", "x")),
    ]);
    for (const error of thrown) expect(error).toBeInstanceOf(StoreTimeoutError);
    expect(exchanges(app)).toBe(1);
    // Nothing of it has ended anything, and the same callback goes on.
    state.hangs = false;
    expect(await browser.whoAmI()).toBe("ada");
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/`);
    expect(exchanges(app)).toBe(2);
  });

  test("the callback and the logout end in a page that offers to repeat them", async () => {
    const { store, state } = deadStore();
    const app = createApp({ store, timeout });
    const browser = new Browser(app);
    await browser.open(await browser.consent());
    const callback = await browser.consent();
    state.hangs = true;
    const [again, logout] = await Promise.all([
      browser.open(callback),
      browser.open("/logout", { method: "POST" }),
    ]);
    expect([again.status, logout.status]).toEqual([503, 503]);
    expect(await again.text()).toContain('<a href="">Try again</a>');
    expect(await logout.text()).toContain(
      '<form method="post" action="/logout"><button>Log out</button></form>',
    );
    expect(console.error).toHaveBeenCalledWith(expect.any(StoreTimeoutError));
  });

  test.each([false, true])(
    "a login sends its code once at the most, and can be finished later (operation done: %s)",
    async (isDone) => {
      // How many operations a login takes when none of them hangs.
      const counting = hangingStore();
      const counted = new Browser(createApp({ store: counting.store }));
      await counted.open(await counted.consent());
      const { operations } = counting.state;
      expect(operations).toBeGreaterThan(5);

      await Promise.all(Array.from({ length: operations }, async (_, hangsAt) => {
        const { store, state } = hangingStore();
        const app = createApp({ store, timeout });
        const browser = new Browser(app);
        const callback = await browser.consent("/shop");
        state.operations = 0;
        Object.assign(state, { hangsAt, isDone });
        const first = await browser.open(callback);
        expect([302, 503]).toContain(first.status);
        expect(exchanges(app)).toBeLessThanOrEqual(1);
        if (first.status === 503) {
          const again = await browser.open(callback);
          // A login ends if its code may have been sent, and a new one works.
          if (again.status === 400) await browser.open(await browser.consent("/shop"));
          else expect(locationOf(again)).toBe(`${SITE}/shop`);
        }
        expect(await browser.whoAmI()).toBe("ada");
        const codes = app.fake.requests.filter(({ path }) => path.endsWith("/oauth2/token"));
        expect(codes.every(({ status }) => status === 200)).toBe(true);
      }));
    },
    60_000,
  );
});
