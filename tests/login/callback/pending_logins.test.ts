import { afterEach, describe, expect, test, vi } from "vitest";
import { generateState } from "../../../mod.ts";
import { PendingLogins } from "../../../src/login/callback/pending_logins.ts";
import type { PendingLoginOptions } from "../../../src/login/base/pending_login.ts";
import { Namespace } from "../../../src/login/site/namespace.ts";
import { siteAddressOf } from "../../../src/login/site/site_address.ts";
import { CookieJar } from "../../../src/testing/mod.ts";
import { SITE } from "../test_app.ts";

const PAGE: PendingLoginOptions = {
  returnTo: "/",
  data: null,
  scope: ["identify"],
  purpose: { kind: "login" },
};
const namespace = new Namespace("1", "https://discord.com", "");
const site = siteAddressOf(new Request(SITE), { site: null, callbackPath: "/callback" });

afterEach(() => {
  vi.useRealTimers();
});

function createPendingLogins(secret = generateState()): PendingLogins {
  return new PendingLogins(namespace, namespace.createSealer(secret, "cookies"));
}

async function begin(pendingLogins: PendingLogins, jar: CookieJar, page = PAGE): Promise<string> {
  const { pending, cookies } = await pendingLogins.begin(jar.request(SITE), site, page);
  const headers = new Headers();
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  jar.store(new Response(null, { headers }), SITE);
  return pending.state;
}

describe("A pending login", () => {
  test("is found again for ten minutes, by its own state alone", async () => {
    vi.useFakeTimers();
    const pendingLogins = createPendingLogins();
    const jar = new CookieJar();
    const state = await begin(pendingLogins, jar);
    expect(await pendingLogins.find(jar.request(SITE), site, state)).toMatchObject({
      ...PAGE,
      state,
    });
    expect(await pendingLogins.find(jar.request(SITE), site, generateState())).toBeNull();
    expect(await pendingLogins.find(jar.request(SITE), site, `${state.slice(0, 12)}other`))
      .toBeNull();
    expect(await pendingLogins.find(jar.request(SITE), site, "")).toBeNull();
    vi.advanceTimersByTime(599_999);
    expect(await pendingLogins.find(jar.request(SITE), site, state)).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(await pendingLogins.find(jar.request(SITE), site, state)).toBeNull();
  });

  test("carries a small JSON value, and refuses one that does not fit", async () => {
    const pendingLogins = createPendingLogins();
    const request = new Request(SITE);
    const data = { account: "a".repeat(1000), list: [1, null, true] };
    const { pending } = await pendingLogins.begin(request, site, { ...PAGE, data });
    expect(pending.data).toEqual(data);
    const large = pendingLogins.begin(request, site, { ...PAGE, data: "a".repeat(3000) });
    await expect(large).rejects.toThrow(
      "data and scope must fit in a cookie: store the data elsewhere",
    );
    const none = pendingLogins.begin(request, site, { ...PAGE, data: () => 1 });
    await expect(none).rejects.toThrow(
      new TypeError("data must be a JSON value, received function"),
    );
  });

  test("has a cookie of up to 4,096 bytes, which the page to return to leaves for the data first", async () => {
    const pendingLogins = createPendingLogins();
    const request = new Request("http://localhost:3000");
    const localSite = siteAddressOf(request, { site: null, callbackPath: "/callback" });
    const longest = new Map<string, number>();
    for (let length = 2633; length < 2673; length++) {
      const page = { ...PAGE, data: "a".repeat(length), returnTo: "/shop" };
      const begun = await pendingLogins.begin(request, localSite, page).catch((error) => error);
      const returnTo = begun.pending ? String(begun.pending.returnTo) : begun.message;
      longest.set(returnTo, begun.cookies?.at(-1).length);
    }
    expect([...longest]).toEqual([
      ["/shop", 4096],
      ["null", 4096],
      [expect.stringContaining("data and scope must fit in a cookie"), undefined],
    ]);
  });

  test("keeps a long page to return to as long as there is room for it", async () => {
    const pendingLogins = createPendingLogins();
    const page = { ...PAGE, returnTo: `/${"a".repeat(100)}` };
    const jar = new CookieJar();
    await begin(pendingLogins, jar, page);
    const room = 6000 - `${jar.header}; other=; `.length;
    const beginBeside = async (length: number) => {
      const headers = { cookie: `other=${"x".repeat(length)}` };
      const { pending } = await pendingLogins.begin(new Request(SITE, { headers }), site, page);
      return pending.returnTo;
    };
    expect(await beginBeside(room)).toBe(page.returnTo);
    expect(await beginBeside(room + 1)).toBeNull();
  });

  test("of a login with another name is known beside other cookies", () => {
    const pendingLogins = createPendingLogins();
    const state = generateState();
    const other = `__Host-${
      new Namespace("1", "https://discord.com", "admin").pendingCookie(state)
    }=x`;
    const isOfOther = (cookie: string) =>
      pendingLogins.isOfOtherLogin(new Request(SITE, { headers: { cookie } }), site, state);
    expect(isOfOther(`theme=dark; ${other}; lang=en`)).toBe(true);
    expect(isOfOther(`theme=dark; __Host-${namespace.pendingCookie(state)}=x`)).toBe(false);
    expect(isOfOther(other.replace("__Host-", "port-80-"))).toBe(false);
  });

  test("stays beside ten others, until there is no room for its cookie", async () => {
    vi.useFakeTimers();
    const pendingLogins = createPendingLogins();
    const jar = new CookieJar();
    const states: string[] = [];
    for (let i = 0; i < 12; i++) {
      states.push(await begin(pendingLogins, jar));
      vi.advanceTimersByTime(1000);
      expect(jar.cookies.length).toBe(Math.min(i + 1, 11));
    }
    const found = await Promise.all(
      states.map((state) => pendingLogins.find(jar.request(SITE), site, state)),
    );
    expect(found.map((pending) => pending !== null))
      .toEqual(states.map((_, index) => index >= 1));
  });

  test("leaves room for other cookies, however long the pages to return to are", async () => {
    vi.useFakeTimers();
    const pendingLogins = createPendingLogins();
    const jar = new CookieJar();
    let newest = "";
    for (let i = 0; i < 20; i++) {
      newest = await begin(pendingLogins, jar, {
        ...PAGE,
        returnTo: `/${"a".repeat(100 * (i % 11))}`,
      });
      vi.advanceTimersByTime(1000);
      expect(jar.header.length).toBeLessThan(6100);
      expect(await pendingLogins.find(jar.request(SITE), site, newest)).not.toBeNull();
    }
    expect(jar.cookies.length).toBeGreaterThan(2);
  });

  test("removes the oldest one when all cookies of the next request would have more than 6,000 bytes", async () => {
    vi.useFakeTimers();
    const pendingLogins = createPendingLogins();
    const jar = new CookieJar();
    for (let i = 0; i < 3; i++) {
      await begin(pendingLogins, jar);
      vi.advanceTimersByTime(1000);
    }
    const [oldest] = jar.cookies;
    const bytes = `${jar.header}; `.length / 3;
    const removedBeside = async (other: string) => {
      const headers = { cookie: `${other}; ${jar.header}` };
      const { cookies } = await pendingLogins.begin(new Request(SITE, { headers }), site, PAGE);
      return cookies.slice(0, -1).map((cookie) => cookie.split("=")[0]);
    };
    // Each cookie is followed by a semicolon and a space.
    const other = `other=${"x".repeat(6000 - 4 * bytes - "other=; ".length)}`;
    expect(await removedBeside(other)).toEqual([]);
    expect(await removedBeside(`${other}x`)).toEqual([oldest?.name]);
    expect(await removedBeside(other.replace("other=", "other=é").slice(0, -1)))
      .toEqual([oldest?.name]);
    expect(await removedBeside(`${other.slice(0, -3)}; `)).toEqual([]);
    expect(await removedBeside(`${other.slice(0, -3)}; nameless`)).toEqual([oldest?.name]);
  });

  test("begins beside cookies that are too long, removes all others, and keeps only a short page to return to", async () => {
    const pendingLogins = createPendingLogins();
    const jar = new CookieJar();
    for (let i = 0; i < 3; i++) await begin(pendingLogins, jar);
    const headers = { cookie: `other=${"x".repeat(6000)}; ${jar.header}` };
    const beginWith = (returnTo: string | null) =>
      pendingLogins.begin(new Request(SITE, { headers }), site, { ...PAGE, returnTo });
    const shortPage = `/${"a".repeat(99)}`;
    const { pending, cookies } = await beginWith(shortPage);
    expect(pending.returnTo).toBe(shortPage);
    expect(cookies.slice(0, -1).map((cookie) => cookie.split("=")[0]).sort())
      .toEqual(jar.cookies.map(({ name }) => name).sort());
    expect((await beginWith(`${shortPage}a`)).pending.returnTo).toBeNull();
    expect((await beginWith(null)).pending.returnTo).toBeNull();
  });

  test("is removed to make room for a session that replaces another one", async () => {
    const pendingLogins = createPendingLogins();
    const jar = new CookieJar();
    await begin(pendingLogins, jar);
    const cookie = `__Host-session=${"x".repeat(4000)}; ${jar.header}`;
    const request = new Request(SITE, { headers: { cookie } });
    const makeRoom = (bytes: number) =>
      pendingLogins.makeRoom(request, site, [`__Host-session=${"y".repeat(bytes)}; Path=/`]);
    expect(await makeRoom(4000)).toEqual([]);
    expect(await makeRoom(6000)).toHaveLength(1);
  });

  test("costs at most 16 decryptions at the start of another one, and five at its callback", async () => {
    const sealer = namespace.createSealer(generateState(), "cookies");
    const open = vi.spyOn(sealer, "open");
    const pendingLogins = new PendingLogins(namespace, sealer);
    const jar = new CookieJar();
    const state = await begin(pendingLogins, jar);
    const sealed = await Promise.all(
      Array.from({ length: 60 }, (_, i) => sealer.seal("elsewhere", i)),
    );
    const planted = sealed.map((value, i) => `__Host-login.${i}=${value}`).join("; ");
    const headers = { cookie: `${planted}; ${jar.header}` };
    open.mockClear();
    const { cookies } = await pendingLogins.begin(new Request(SITE, { headers }), site, PAGE);
    expect(open).toHaveBeenCalledTimes(16);
    // The newest login, which a browser sends last, is among the cookies that are opened.
    expect(cookies.join()).not.toContain(jar.cookies[0]?.name);

    const [own] = jar.cookies;
    const findBehind = (count: number) => {
      const others = sealed.slice(0, count).map((value) => `${own?.name}=${value}; `).join("");
      const headers = { cookie: `${own?.name}=x; ${others}${jar.header}` };
      return pendingLogins.find(new Request(SITE, { headers }), site, state);
    };
    open.mockClear();
    expect(await findBehind(4)).toMatchObject({ state });
    expect(open).toHaveBeenCalledTimes(5);
    open.mockClear();
    expect(await findBehind(5)).toBeNull();
    expect(open).toHaveBeenCalledTimes(5);
  });

  test("removes at most 16 other cookies, each once", async () => {
    const planted = Array.from({ length: 500 }, (_, i) => `__Host-login.${i % 100}=x`).join("; ");
    const request = new Request(SITE, { headers: { cookie: planted } });
    const { cookies } = await createPendingLogins().begin(request, site, PAGE);
    expect(cookies).toHaveLength(16 + 1);
    expect(new Set(cookies).size).toBe(cookies.length);
  });

  test("forgets its page when the page does not fit beside its data", async () => {
    const pendingLogins = createPendingLogins();
    const data = "a".repeat(2000);
    const returnTo = `/${"a".repeat(1000)}`;
    const { pending } = await pendingLogins.begin(new Request(SITE), site, {
      ...PAGE,
      data,
      returnTo,
    });
    expect(pending).toMatchObject({ data, returnTo: null });
  });

  test("removes the cookies that do not open", async () => {
    const jar = new CookieJar();
    for (let i = 0; i < 3; i++) await begin(createPendingLogins(), jar);
    const state = await begin(createPendingLogins(), jar);
    expect(jar.cookies.map(({ name }) => name)).toEqual([`__Host-login.${state.slice(0, 12)}`]);
  });

  test("fits into a cookie with the longest page to return to", async () => {
    const pendingLogins = createPendingLogins();
    const returnTo = `/${"é".repeat(170)}`;
    const { cookies } = await pendingLogins.begin(new Request(SITE), site, {
      ...PAGE,
      returnTo: encodeURI(returnTo),
    });
    expect(cookies[0]?.length).toBeLessThan(4096);
  });

  test("is found with an older secret after a change of the secret", async () => {
    const [older, newer] = [generateState(), generateState()];
    const jar = new CookieJar();
    const state = await begin(createPendingLogins(older), jar);
    const pendingLogins = new PendingLogins(
      namespace,
      namespace.createSealer([newer, older], "cookies"),
    );
    expect(await pendingLogins.find(jar.request(SITE), site, state)).toMatchObject({ state });
  });
});
