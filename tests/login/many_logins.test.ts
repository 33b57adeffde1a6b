import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState, type Store } from "../../mod.ts";
import { sleep } from "../../src/core/wait.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import { RecordingStore } from "../support/stepped_store.ts";
import { untilDone, useVirtualTime, watchCrypto } from "../support/virtual_time.ts";
import { type App, Browser, createApp } from "./test_app.ts";

const MINUTE = 60_000;

/** Returns a store whose operations take about ten milliseconds each. */
function slowStore(store: Store): Store {
  const slowly = async <Value>(operation: () => Promise<Value>): Promise<Value> => {
    await sleep(4 + 2 * Math.random());
    const result = await operation();
    await sleep(4 + 2 * Math.random());
    return result;
  };
  return {
    load: (key) => slowly(() => store.load(key)),
    save: (key, value, options) => slowly(() => store.save(key, value, options)),
    delete: (key) => slowly(() => store.delete(key)),
  };
}

/** Creates an application that runs in several processes, each with a `Login` of its own. */
function createProcesses(store: Store, count: number, backgroundTokens = false): readonly App[] {
  const fake = createFakePlatform();
  const options = { store, backgroundTokens, secret: generateState() };
  return Array.from({ length: count }, () => createApp(options, fake));
}

/** Returns the numbers of records by kind. */
async function countRecords(store: RecordingStore): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const key of await store.keys("guildpass:")) {
    const kind = key.split(":")[1] ?? "";
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

beforeEach(() => {
  useVirtualTime();
  watchCrypto();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("Many logins of one person", () => {
  test(
    "all succeed, also if 200 callbacks reach several processes at once, and the last 50 sessions stay",
    async () => {
      const store = new RecordingStore();
      const processes = createProcesses(slowStore(store), 4);
      const browsers = processes.flatMap((app) =>
        Array.from({ length: 50 }, () => new Browser(app))
      );
      const callbacks = await untilDone(Promise.all(browsers.map((browser) => browser.consent())));
      const responses = await untilDone(Promise.all(
        browsers.map((browser, at) => browser.open(callbacks[at] ?? "")),
      ));
      const cookies = responses.map(({ headers }) => headers.getSetCookie().join());
      expect(cookies.filter((lines) => /session=[\w-]{43};/.test(lines))).toHaveLength(200);
      expect(await countRecords(store)).toMatchObject({ session: 50, "sessions-of": 1 });
      const names = await untilDone(Promise.all(browsers.map((browser) => browser.whoAmI())));
      expect(names.filter((name) => name === "ada")).toHaveLength(50);
    },
    120_000,
  );

  test.each([[400, 16], [50, 50]])(
    "with a token for background jobs all end in a session: %d, of which %d at once",
    async (total, atOnce) => {
      const [app] = createProcesses(slowStore(new RecordingStore()), 1, true) as [App];
      let begun = 0;
      let sessions = 0;
      const logInOften = async () => {
        while (begun++ < total) {
          const browser = new Browser(app);
          const { headers } = await browser.open(await browser.consent());
          if (/session=[\w-]{43};/.test(headers.getSetCookie().join())) sessions++;
        }
      };
      await untilDone(Promise.all(Array.from({ length: atOnce }, logInOften)));
      expect(sessions).toBe(total);
    },
    120_000,
  );

  test("leave 50 sessions, and the records of the logins' codes for twelve minutes", async () => {
    const store = new RecordingStore();
    const [app] = createProcesses(store, 1) as [App];
    for (let count = 0; count < 100; count++) {
      const browser = new Browser(app);
      await untilDone(browser.consent().then((callback) => browser.open(callback)));
      vi.setSystemTime(Date.now() + MINUTE);
    }
    const records = { session: 50, "sessions-of": 1 };
    expect(await countRecords(store)).toEqual({ ...records, progress: 11 });
    vi.setSystemTime(Date.now() + 12 * MINUTE);
    expect(await countRecords(store)).toEqual(records);
  }, 60_000);
});
