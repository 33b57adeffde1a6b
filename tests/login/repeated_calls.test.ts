import { expect, test, vi } from "vitest";
import type { Store } from "../../mod.ts";
import { useSteps, withTime } from "../support/stepped_store.ts";
import { consentAgain, createSessionWorld, logIn, type SessionWorld } from "./session_world.ts";
import { type App, type Browser, SITE } from "./test_app.ts";

// `store_faults.test.ts` does this with every call and every fault, without coverage.

/** A store with one operation that is done, but fails. */
class FaultyStore implements Store {
  readonly #store: Store;
  readonly #at: number;
  #operations = 0;

  constructor(store: Store, at: number) {
    this.#store = store;
    this.#at = at;
  }

  get hasFailed(): boolean {
    return this.#operations > this.#at;
  }

  load(key: string): ReturnType<Store["load"]> {
    return this.#failOnce(this.#store.load(key));
  }

  save(...args: Parameters<Store["save"]>): ReturnType<Store["save"]> {
    return this.#failOnce(this.#store.save(...args));
  }

  delete(key: string): Promise<void> {
    return this.#failOnce(this.#store.delete(key));
  }

  async #failOnce<Value>(operation: Promise<Value>): Promise<Value> {
    const number = this.#operations++;
    const value = await operation;
    if (number === this.#at) throw new Error("The store has failed");
    return value;
  }
}

/** Runs a call with a fault at each operation of the store, and then once more. */
async function repeatAfterEachFault(
  prepare: (
    world: SessionWorld,
    browser: Browser,
  ) => Promise<(app: App) => Promise<unknown>>,
  check: (world: SessionWorld, browser: Browser) => Promise<void>,
): Promise<void> {
  useSteps();
  vi.spyOn(console, "error").mockImplementation(() => {});
  let repetitions = 0;
  for (let at = 0;; at++) {
    const world = createSessionWorld();
    const browser = await withTime(logIn(world.app));
    const call = await withTime(prepare(world, browser));
    const store = new FaultyStore(world.store, at);
    const called = call(world.appWith({ store }));
    const error = await withTime(called.then(() => null, (error) => error));
    if (!store.hasFailed) break;
    if (error) {
      repetitions++;
      await withTime(call(world.appWith({})));
    }
    await withTime(check(world, browser));
  }
  expect(repetitions).toBeGreaterThan(2);
}

test("A consent reaches its end when its callback is opened again after a fault of the store", async () => {
  await repeatAfterEachFault(async ({ app }, browser) => {
    const request = browser.jar.request(await consentAgain(app, browser, { scope: ["email"] }));
    return ({ login }) => login.finish(request.clone());
  }, async ({ app }, browser) => {
    expect((await app.login.session(browser.jar.request(SITE)))?.scopes).toContain("email");
  });
});

test("A logout everywhere reaches its end when it is repeated after a fault of the store", async () => {
  await repeatAfterEachFault((_world, browser) => {
    const request = browser.jar.request(SITE, { method: "POST" });
    return Promise.resolve(({ login }) => login.end(request.clone(), { everywhere: true }));
  }, async ({ app, fake }, browser) => {
    expect(await app.login.session(browser.jar.request(SITE))).toBeNull();
    expect(fake.requests.filter(({ path }) => path.endsWith("/revoke"))).not.toEqual([]);
  });
});
