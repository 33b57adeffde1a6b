import { describe, expect, test, vi } from "vitest";
import { MemoryStore } from "../../../mod.ts";
import { CookieJar, nodeListener } from "../../../src/testing/mod.ts";
import { serveListener } from "../../support/node_server.ts";
import {
  bytesInHeader,
  cookieCandidates,
  cookiesOf,
  freeHeaderBytes,
  isSetBy,
  removeCookieHeader,
  setCookieHeader,
} from "../../../src/login/site/cookies.ts";
import { siteAddressOf } from "../../../src/login/site/site_address.ts";
import { createApp, locationOf, SITE } from "../test_app.ts";

/** The headers of Chromium's requests for pages. */
const browserHeaders = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp," +
    "image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
  "accept-encoding": "gzip, deflate, br, zstd",
  "accept-language": "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7",
  "cache-control": "max-age=0",
  priority: "u=0, i",
  "sec-ch-ua": '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Windows"',
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "cross-site",
  "sec-fetch-user": "?1",
  "upgrade-insecure-requests": "1",
  "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 " +
    "(KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
};

describe("A server that accepts 8,192 bytes of headers", () => {
  const longSession = { keepToken: true, sessionUser: () => "x".repeat(500) };

  test.each([
    [0, "in a cookie", longSession],
    [1500, "in a cookie", longSession],
    [3500, "in a cookie", longSession],
    [5500, "in a store", { store: new MemoryStore() }],
  ])(
    "refuses no request of a browser with many pending logins, %i bytes of other cookies, and a session %s",
    async (otherBytes, _where, sessionOptions) => {
      const app = createApp({ ...sessionOptions, redirectUri: `${SITE}/callback` });
      const options = { maxHeaderSize: 8192 };
      await using server = await serveListener(nodeListener(app.fetch), options);
      const jar = new CookieJar();
      const other = `a=${"x".repeat(otherBytes / 2)}; b=${"x".repeat(otherBytes / 2)}`;
      const statuses: number[] = [];
      const open = async (address: string) => {
        const { href, pathname, search } = new URL(address, SITE);
        const headers = { ...browserHeaders, cookie: `${other}; ${jar.header}` };
        const url = server.origin + pathname + search;
        const response = await fetch(url, { headers, redirect: "manual" });
        statuses.push(response.status);
        jar.store(response, href);
        await response.body?.cancel();
        return response;
      };
      const page = `/${"page/".repeat(200)}`;
      for (const _login of [1, 2]) {
        for (let i = 0; i < 12; i++) await open(`/login?returnTo=${page}`);
        const link = locationOf(await open("/login?returnTo=/shop"));
        const response = await open(await app.fake.authorize(link));
        expect(locationOf(response)).toBe(`${SITE}/shop`);
        expect((await open("/")).status).toBe(200);
        expect((await open(page)).status).toBe(200);
      }
      expect(new Set(statuses)).toEqual(new Set([302, 200]));
    },
  );

  test("refuses a longer request, so that the test above can fail", async () => {
    const listener = nodeListener(() => new Response());
    await using server = await serveListener(listener, { maxHeaderSize: 8192 });
    const headers = { ...browserHeaders, cookie: "x".repeat(8192) };
    expect((await fetch(server.origin, { headers })).status).toBe(431);
  });
});

describe("The cookies of a request", () => {
  const withHeader = (cookie: string) =>
    new Request("https://app.example/", { headers: { cookie } });

  test("are read as browsers send them", () => {
    expect(cookiesOf(withHeader("a=1; b=2=3;c= 4 ; =5; alone"))).toEqual([
      { name: "a", value: "1" },
      { name: "b", value: "2=3" },
      { name: "c", value: "4" },
      { name: "", value: "5" },
      { name: "", value: "alone" },
    ]);
    expect(cookiesOf(new Request("https://app.example/"))).toEqual([{ name: "", value: "" }]);
  });

  test("are read by the start of their names, which a value without a name does not have", () => {
    const request = withHeader("a=1; __Host-alone; __Host-b=2; x__Host-c=3");
    expect(cookiesOf(request, "__Host-")).toEqual([{ name: "__Host-b", value: "2" }]);
  });

  test("keep every space of a name but the one after the semicolon", () => {
    expect(cookiesOf(withHeader("a=1;  b=2;\u00a0c=3")).map(({ name }) => name))
      .toEqual(["a", " b", "\u00a0c"]);
  });

  test("have at most five candidates with a name and a form", () => {
    const request = withHeader(
      `session=0; __Host-session=bad; ${"__Host-session=1; __Host-session=2; ".repeat(3)}`,
    );
    const site = siteAddressOf(request, { site: null, callbackPath: "/callback" });
    expect(cookieCandidates(request, site, "session", /^\d$/)).toEqual(["1", "2", "1", "2", "1"]);
    expect(cookieCandidates(request, site, "other", /^\d$/)).toEqual([]);
  });

  test("leave room for others in 6,000 bytes", () => {
    expect(bytesInHeader({ name: "a", value: "é" })).toBe("a=xx; ".length);
    const free = (cookie: string, added: readonly string[] = []) =>
      freeHeaderBytes(withHeader(cookie), added, []);
    expect(free("")).toBe(6000);
    expect(free("a=é; b=")).toBe(6000 - "a=xx; b=; ".length);
    expect(free("", ["a=12; Path=/", "b=; Path=/"])).toBe(6000 - "a=12; b=; ".length);
    const replaced = [{ name: "b", value: "é" }];
    expect(freeHeaderBytes(withHeader("a=1; b=é"), [], replaced)).toBe(6000 - "a=1; ".length);
  });
});

describe("A cookie", () => {
  const secure = siteAddressOf(new Request("https://app.example/"), {
    site: null,
    callbackPath: "/callback",
  });
  const local = siteAddressOf(new Request("http://localhost:3000/"), {
    site: null,
    callbackPath: "/callback",
  });

  test("is for the whole site, over HTTPS, hidden from scripts and from other sites", () => {
    const header = setCookieHeader(secure, "session", "v4lue", 60);
    expect(header).toBe(
      "__Host-session=v4lue; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax",
    );
    expect(isSetBy(["a=1", header], { name: "__Host-session", value: "" })).toBe(true);
    expect(isSetBy(["a=1", header], { name: "__Host-sess", value: "" })).toBe(false);
  });

  test("is not limited to HTTPS on this machine", () => {
    expect(setCookieHeader(local, "session", "v4lue", 60)).toBe(
      "port-3000-session=v4lue; Path=/; Max-Age=60; HttpOnly; SameSite=Lax",
    );
  });

  test("is removed by an empty one that ends at once", () => {
    expect(removeCookieHeader(secure, "session"))
      .toBe("__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax");
  });
});

describe("Thousands of tiny cookies of other programs", () => {
  test.each([
    ["the start of a login", `${SITE}/login?returnTo=/${"x".repeat(200)}`],
    ["an unknown callback", `${SITE}/callback?state=x&code=y`],
    ["the session", `${SITE}/`],
  ])(
    "make %s read no more headers and encode no more texts than one long cookie",
    async (_what, address) => {
      const app = createApp();
      const work = async (cookie: string) => {
        const request = new Request(address, { headers: { cookie } });
        const read = vi.spyOn(request.headers, "get");
        const encode = vi.spyOn(TextEncoder.prototype, "encode");
        await app.fetch(request);
        const reads = read.mock.calls.filter(([name]) => name === "cookie").length;
        const encoded = encode.mock.calls.length;
        vi.restoreAllMocks();
        return { reads, encoded };
      };
      const longCookie = `a=${"x".repeat(16_000)}`;
      await work(longCookie);
      const once = await work(longCookie);
      expect(once.reads).toBeLessThanOrEqual(4);
      for (const name of ["a", "__Host-a", "__Host-b."]) {
        expect(await work(`${name}=1;`.repeat(4000))).toEqual(once);
      }
    },
  );

  test("are counted, so that a login makes room for its own", async () => {
    const app = createApp();
    const begun = await app.login.start(new Request(SITE));
    const [cookie = ""] = begun.headers.getSetCookie().map((one) => one.split(";")[0]);
    const removed = async (others: string) => {
      const headers = { cookie: `${others}${cookie}` };
      const response = await app.login.start(new Request(SITE, { headers }));
      return response.headers.getSetCookie().filter((one) => one.includes("Max-Age=0")).length;
    };
    expect(await removed("a=1; ")).toBe(0);
    expect(await removed("a=1; ".repeat(1200))).toBe(1);
  });
});
