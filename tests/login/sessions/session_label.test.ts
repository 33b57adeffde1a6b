import { describe, expect, test, vi } from "vitest";
import { generateState, MemoryStore } from "../../../mod.ts";
import { ADA, consentAgain, finishLogin, indexOf } from "../session_world.ts";
import { createFakePlatform } from "../../../src/testing/mod.ts";
import { RecordingStore } from "../../support/stepped_store.ts";
import { Browser, createApp, SITE } from "../test_app.ts";

type Options = NonNullable<Parameters<typeof createApp>[0]>;

/** A person with one session. */
async function createWorld(sessionLabel: Options["sessionLabel"]) {
  const store = new RecordingStore();
  const secret = generateState();
  const fake = createFakePlatform();
  const appWith = (options: Options) => createApp({ store, secret, ...options }, fake);
  const app = appWith({ sessionLabel });
  const browser = new Browser(app);
  await browser.open(await browser.consent());
  const labelWith = async (options: Options) => {
    const sessions = await appWith(options).login.sessionsOf(ADA);
    return sessions.map(({ label }) => label);
  };
  return { store, secret, app, browser, labelWith };
}

/** Returns the label that a session gets for a text. */
async function labelOf(text: string | null | undefined): Promise<string | null | undefined> {
  const { labelWith } = await createWorld(() => text);
  const [label] = await labelWith({});
  return label;
}

describe("The label of a session", () => {
  test("is what sessionLabel returns for the request of the callback", async () => {
    const requests: Request[] = [];
    const { labelWith } = await createWorld((request) => {
      requests.push(request);
      return "Firefox on Linux";
    });
    expect(await labelWith({})).toEqual(["Firefox on Linux"]);
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(["/callback"]);
  });

  test.each<[string, string | null | undefined, string | null]>([
    ["null", null, null],
    ["undefined, as of a missing match", undefined, null],
    ["empty text", "", null],
    ["white space", " \n ", null],
    ["text with markup", "<b>Firefox</b>", "<b>Firefox</b>"],
    ["an emoji", "phone \u{1f4f1}", "phone \u{1f4f1}"],
    ["control characters", "a\u0000b\r\nc\u007f", "a b c"],
    ["marks for the direction of writing", "a\u202eb\u2066c", "a b c"],
    ["line separators", "a\u2028b", "a b"],
    ["half an emoji", "a\ud83d", "a\ufffd"],
    ["200 characters", "x".repeat(200), "x".repeat(200)],
    ["201 characters", "x".repeat(201), "x".repeat(200)],
    ["201 emojis", "\u{1f4f1}".repeat(201), "\u{1f4f1}".repeat(200)],
    ["a megabyte", "x".repeat(1_000_000), "x".repeat(200)],
  ])("of %s is clean, and short", async (_what, text, label) => {
    expect(await labelOf(text)).toBe(label);
  });

  test("stays through a consent, which does not make another one", async () => {
    const sessionLabel = vi.fn(() => "first");
    const { app, browser, labelWith } = await createWorld(sessionLabel);
    sessionLabel.mockReturnValue("second");
    await finishLogin(app, browser, await consentAgain(app, browser, { scope: ["email"] }));
    expect(await labelWith({})).toEqual(["first"]);
    expect(sessionLabel).toHaveBeenCalledOnce();
  });

  test("is new at the next login in the same browser", async () => {
    const sessionLabel = vi.fn(() => "first");
    const { browser, labelWith } = await createWorld(sessionLabel);
    sessionLabel.mockReturnValue("second");
    await browser.open(await browser.consent());
    expect(await labelWith({})).toEqual(["second"]);
  });

  test("is not readable in the store, and opens with the secret alone", async () => {
    const { store, secret, labelWith } = await createWorld(() => "Firefox at 203.0.113.7");
    const { sessions: [entry] } = await indexOf(store);
    expect(JSON.stringify(entry)).not.toContain("203.0.113.7");
    expect(entry?.label).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await labelWith({ secret: [generateState(), secret] })).toEqual([
      "Firefox at 203.0.113.7",
    ]);
  });

  test("is null with another secret, and the session goes on", async () => {
    const { app, browser, labelWith } = await createWorld(() => "phone");
    expect(await labelWith({ secret: generateState() })).toEqual([null]);
    expect(await app.login.session(browser.jar.request(SITE))).not.toBeNull();
  });

  test("does not open in the list of another session", async () => {
    const { store, app, labelWith } = await createWorld(() => "phone");
    const other = new Browser(app);
    await other.open(await other.consent());
    const { key, sessions: [first, second] } = await indexOf(store);
    const found = await store.load(key) ?? expect.fail("there is no list");
    const swapped = [{ ...first, label: second?.label }, { ...second, label: 7 }];
    const value = { ...Object(found.value), sessions: swapped };
    await store.save(key, value, { version: found.version });
    expect(await labelWith({})).toEqual([null, null]);
  });

  test("is not kept without the option, or without a store", async () => {
    const { store, labelWith } = await createWorld(null);
    expect(await labelWith({})).toEqual([null]);
    const { sessions: [entry] } = await indexOf(store);
    expect(entry).not.toHaveProperty("label");
    const sessionLabel = vi.fn(() => "phone");
    const browser = new Browser(createApp({ sessionLabel }));
    await browser.open(await browser.consent());
    expect(await browser.whoAmI()).toBe("ada");
    expect(sessionLabel).not.toHaveBeenCalled();
  });
});

describe("A sessionLabel", () => {
  test.each<[string, () => unknown, string]>([
    ["returns a number", () => 7, "received number"],
    ["returns a promise", () => Promise.resolve("s3cret"), "not a promise, received a Promise"],
    ["throws", () => expect.fail("out of order"), "out of order"],
  ])("that %s stops the login, and the callback can be opened again", async (_, wrong, message) => {
    const errors: Error[] = [];
    const onError = (error: Error) => {
      errors.push(error);
      return new Response(null, { status: 500 });
    };
    const onLogin = vi.fn(() => null);
    const sessionLabel = vi.fn(wrong as () => string);
    const app = createApp({ store: new MemoryStore(), sessionLabel, onLogin, onError });
    const browser = new Browser(app);
    const callback = await browser.consent();
    expect((await browser.open(callback)).status).toBe(500);
    expect(String(errors)).toContain(message);
    expect(String(errors)).not.toContain("s3cret");
    expect(onLogin).not.toHaveBeenCalled();
    expect(await app.login.sessionsOf(ADA)).toEqual([]);
    sessionLabel.mockReturnValue("phone");
    expect((await browser.open(callback)).status).toBe(302);
    expect(await app.login.sessionsOf(ADA)).toMatchObject([{ label: "phone" }]);
  });
});
