import { describe, expect, test } from "vitest";
import { generateState, MemoryStore, type Store } from "../../mod.ts";
import { CookieSessions } from "../../src/login/sessions/cookie_sessions.ts";
import { Namespace } from "../../src/login/site/namespace.ts";
import { checkLoginOptions } from "../../src/login/site/checked_options.ts";
import { siteAddressOf } from "../../src/login/site/site_address.ts";
import type { Sealer } from "../../src/stores/sealed.ts";
import { Browser, createApp, SITE } from "./test_app.ts";

const namespace = new Namespace("1", "https://discord.com", "");
const site = siteAddressOf(new Request(SITE), { site: null, callbackPath: "/callback" });
const secret = generateState();

/** A request with several session cookies. */
function requestWith(values: readonly string[]): Request {
  const cookie = values.map((value) => `__Host-session=${value}`).join("; ");
  return new Request(SITE, { headers: { cookie } });
}

/** Sessions in cookies that count the values they try to open. */
function countingSessions() {
  const counted = { opens: 0 };
  const sealer = namespace.createSealer(secret, "cookies");
  const counting: Sealer = {
    seal: sealer.seal,
    open(name, sealedText) {
      counted.opens++;
      return sealer.open(name, sealedText);
    },
  };
  const sessions = new CookieSessions({
    ...checkLoginOptions({ clientId: "1", clientSecret: null, scope: ["identify"], secret }),
    namespace,
    sealer: counting,
    report: null,
    api: { revoke: () => Promise.resolve() },
  });
  return { sessions, counted };
}

/** Returns the value of a session, and similar texts that do not open. */
async function values() {
  const other = namespace.createSealer(generateState(), "cookies");
  const planted = await Promise.all(
    Array.from({ length: 60 }, (_, index) => other.seal("session", index)),
  );
  const startedAt = Date.now();
  const content = {
    format: 3,
    user: "ada",
    userId: "1",
    scopes: ["identify"],
    asked: ["identify"],
    startedAt,
    endsAt: startedAt + 60_000,
  };
  const own = await namespace.createSealer(secret, "cookies").seal("session", content);
  return { planted, own };
}

describe("Of many session cookies,", () => {
  test("five are opened when sessions are in cookies", async () => {
    const { sessions, counted } = countingSessions();
    const { planted, own } = await values();
    const request = requestWith([...planted.slice(0, 4), own, ...planted]);
    expect(await sessions.find({ request, site })).toMatchObject({
      session: { content: { user: "ada" } },
    });
    expect(counted.opens).toBe(5);
    counted.opens = 0;
    expect(await sessions.find({ request: requestWith([...planted, own]), site })).toBeNull();
    expect(counted.opens).toBe(5);
  });

  test("those without the form of a sealed session are not opened", async () => {
    const { sessions, counted } = countingSessions();
    const { own } = await values();
    const formless = ["x", "a.b.c.d.e", "a..b.c", `${own}.x`, own.replaceAll(".", "-"), ""];
    const request = requestWith([...formless, ...formless, own]);
    expect(await sessions.find({ request, site })).toMatchObject({
      session: { content: { user: "ada" } },
    });
    expect(counted.opens).toBe(1);
  });

  test("five are looked up when sessions are in a store", async () => {
    const memory = new MemoryStore();
    let loads = 0;
    const store: Store = {
      load(key) {
        loads++;
        return memory.load(key);
      },
      save: memory.save.bind(memory),
      delete: memory.delete.bind(memory),
    };
    const app = createApp({ store });
    const person = new Browser(app);
    await person.open(await person.consent());
    const own = person.jar.header.replace("__Host-session=", "");
    const planted = Array.from({ length: 60 }, generateState);
    const found = await app.login.session(requestWith(["x", "", ...planted.slice(0, 4), own]));
    expect(found?.user).toMatchObject({ username: "ada" });
    loads = 0;
    expect(await app.login.session(requestWith([...planted, own]))).toBeNull();
    expect(loads).toBe(5);
  });
});
