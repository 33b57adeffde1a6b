import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, MemoryStore } from "../../../mod.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import { Browser, createApp, locationOf, SITE } from "../test_app.ts";

const realSetTimeout = setTimeout;

/** The time that one step may take: the time limit of its request, and five seconds for the store. */
const stepTime = 7000 + 5000;

beforeEach(() => {
  // No timer of these tests ever ends. Only the clock is set.
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns true once a promise waits for a timer, and false if it has settled before. */
async function waitsForTimer(promise: Promise<unknown>): Promise<boolean> {
  const timers = vi.getTimerCount();
  let isSettled = false;
  const settle = () => void (isSettled = true);
  promise.then(settle, settle);
  while (!isSettled && vi.getTimerCount() === timers) {
    await new Promise((resolve) => realSetTimeout(resolve, 1));
  }
  return !isSettled;
}

/**
 * An application in two processes, with a time limit of seven seconds. A request of the first process to a path of the platform hangs, and
 * the second one receives all requests from then on.
 */
async function appThatHangsAt(path: string) {
  const fake = createFakePlatform();
  const hangs = Promise.withResolvers<void>();
  const shared = { timeout: 7000, secret: generateState(), store: new MemoryStore() };
  const first = createApp({
    ...shared,
    fetch(url, init) {
      if (!url.endsWith(path)) return fake.fetch(url, init);
      hangs.resolve();
      return new Promise<never>(() => {});
    },
  }, fake);
  // What a process knows about limits belongs to its fetch.
  const second = createApp({ ...shared, fetch: (url, init) => fake.fetch(url, init) }, fake);
  let process = first;
  const browser = new Browser({ ...first, fetch: (request) => process.fetch(request) });
  const callback = await browser.consent("/shop");
  void browser.open(callback);
  await hangs.promise;
  process = second;
  const hungAt = Date.now();
  return { browser, callback, hungAt };
}

describe("A callback that is opened again while its first request hangs,", () => {
  test("waits for the time limit and five seconds before it gives the code up", async () => {
    const { browser, callback, hungAt } = await appThatHangsAt("/oauth2/token");
    vi.setSystemTime(hungAt + stepTime - 1);
    expect(await waitsForTimer(browser.open(callback))).toBe(true);
    vi.setSystemTime(hungAt + stepTime);
    const response = await browser.open(callback);
    expect(await response.text()).toContain("This login has ended");
  });

  test("waits for the same time before it goes on with the token", async () => {
    const { browser, callback, hungAt } = await appThatHangsAt("/users/@me");
    vi.setSystemTime(hungAt + stepTime - 1);
    expect(await waitsForTimer(browser.open(callback))).toBe(true);
    vi.setSystemTime(hungAt + stepTime);
    expect(locationOf(await browser.open(callback))).toBe(`${SITE}/shop`);
  });
});
