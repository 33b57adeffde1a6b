import { afterEach, describe, expect, test, vi } from "vitest";
import { generateState } from "../../mod.ts";
import { Attempts } from "../../src/login/attempts.ts";
import { siteAddressOf } from "../../src/login/site_address.ts";
import { createSealer } from "../../src/stores/sealer.ts";
import { CookieJar } from "../../src/testing/mod.ts";
import { SITE } from "./test_app.ts";

const PAGE = { returnTo: "/", data: null, renews: null };
const site = siteAddressOf(new Request(SITE), null, "/callback");

afterEach(() => {
  vi.useRealTimers();
});

function createAttempts(secret = generateState()): Attempts {
  return new Attempts(createSealer("secret", secret, "login attempts"));
}

async function begin(attempts: Attempts, jar: CookieJar, page = PAGE): Promise<string> {
  const { attempt, cookies } = await attempts.begin(jar.request(SITE), site, page);
  const headers = new Headers();
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  jar.store(new Response(null, { headers }), SITE);
  return attempt.state;
}

describe("An attempt", () => {
  test("is found again for ten minutes, by its own state alone", async () => {
    vi.useFakeTimers();
    const attempts = createAttempts();
    const jar = new CookieJar();
    const state = await begin(attempts, jar);
    expect(await attempts.find(jar.request(SITE), site, state)).toMatchObject({ ...PAGE, state });
    expect(await attempts.find(jar.request(SITE), site, generateState())).toBeNull();
    expect(await attempts.find(jar.request(SITE), site, `${state.slice(0, 12)}other`)).toBeNull();
    expect(await attempts.find(jar.request(SITE), site, "")).toBeNull();
    vi.advanceTimersByTime(599_999);
    expect(await attempts.find(jar.request(SITE), site, state)).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(await attempts.find(jar.request(SITE), site, state)).toBeNull();
  });

  test("carries a small JSON value, and refuses one that does not fit", async () => {
    const attempts = createAttempts();
    const request = new Request(SITE);
    const data = { account: "a".repeat(1000), list: [1, null, true] };
    const { attempt } = await attempts.begin(request, site, { ...PAGE, data });
    expect(attempt.data).toEqual(data);
    const large = attempts.begin(request, site, { ...PAGE, data: "a".repeat(3000) });
    await expect(large).rejects.toThrow("data must fit into a cookie: keep it elsewhere");
    const none = attempts.begin(request, site, { ...PAGE, data: () => 1 });
    await expect(none).rejects.toThrow(TypeError);
  });

  test("removes the oldest one when there are eight", async () => {
    vi.useFakeTimers();
    const attempts = createAttempts();
    const jar = new CookieJar();
    const states: string[] = [];
    for (let i = 0; i < 12; i++) {
      states.push(await begin(attempts, jar));
      vi.advanceTimersByTime(1000);
      expect(jar.cookies.length).toBe(Math.min(i + 1, 8));
    }
    const found = await Promise.all(
      states.map((state) => attempts.find(jar.request(SITE), site, state)),
    );
    expect(found.map((attempt) => attempt !== null))
      .toEqual(states.map((_, index) => index >= 4));
  });

  test("leaves room for other cookies, however long the pages to return to are", async () => {
    vi.useFakeTimers();
    const attempts = createAttempts();
    const jar = new CookieJar();
    let newest = "";
    for (let i = 0; i < 20; i++) {
      newest = await begin(attempts, jar, { ...PAGE, returnTo: `/${"a".repeat(100 * (i % 11))}` });
      vi.advanceTimersByTime(1000);
      expect(jar.header.length).toBeLessThan(6100);
      expect(await attempts.find(jar.request(SITE), site, newest)).not.toBeNull();
    }
    expect(jar.cookies.length).toBeGreaterThan(2);
  });

  test("removes at most 16 other cookies, each once", async () => {
    const planted = Array.from({ length: 500 }, (_, i) => `__Host-login-${i % 100}=x`).join("; ");
    const request = new Request(SITE, { headers: { cookie: planted } });
    const { cookies } = await createAttempts().begin(request, site, PAGE);
    expect(cookies).toHaveLength(16 + 1);
    expect(new Set(cookies).size).toBe(cookies.length);
  });

  test("returns to the home page when the page does not fit beside its data", async () => {
    const attempts = createAttempts();
    const data = "a".repeat(2000);
    const returnTo = `/${"a".repeat(1000)}`;
    const { attempt } = await attempts.begin(new Request(SITE), site, { ...PAGE, data, returnTo });
    expect(attempt).toMatchObject({ data, returnTo: "/" });
  });

  test("removes the cookies that do not open", async () => {
    const jar = new CookieJar();
    for (let i = 0; i < 3; i++) await begin(createAttempts(), jar);
    const state = await begin(createAttempts(), jar);
    expect(jar.cookies.map(({ name }) => name)).toEqual([`__Host-login-${state.slice(0, 12)}`]);
  });

  test("fits into a cookie with the longest page to return to", async () => {
    const attempts = createAttempts();
    const returnTo = `/${"é".repeat(170)}`;
    const { cookies } = await attempts.begin(new Request(SITE), site, {
      ...PAGE,
      returnTo: encodeURI(returnTo),
    });
    expect(cookies[0]?.length).toBeLessThan(4096);
  });

  test("is found with an older secret after a change of the secret", async () => {
    const [older, newer] = [generateState(), generateState()];
    const jar = new CookieJar();
    const state = await begin(createAttempts(older), jar);
    const attempts = new Attempts(createSealer("secret", [newer, older], "login attempts"));
    expect(await attempts.find(jar.request(SITE), site, state)).toMatchObject({ state });
  });
});
