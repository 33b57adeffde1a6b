import { describe, expect, test } from "vitest";
import { MemoryStore } from "../../mod.ts";
import { CookieJar, nodeListener } from "../../src/testing/mod.ts";
import { serveListener } from "../support/node_server.ts";
import { createApp, locationOf, SITE } from "./test_app.ts";

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
    "refuses no request of a browser with many attempts, %i bytes of other cookies, and a session %s",
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
        for (let attempt = 0; attempt < 12; attempt++) await open(`/login?returnTo=${page}`);
        const link = locationOf(await open("/login?returnTo=/shop"));
        const answer = await open(await app.fake.authorize(link));
        expect(locationOf(answer)).toBe(`${SITE}/shop`);
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
