import { describe, expect, test } from "vitest";
import { redirect, responseHeaders, withCookies } from "../../../src/login/pages/responses.ts";
import { siteAddressOf } from "../../../src/login/site/site_address.ts";

const cookies = ["a=1; Path=/", "b=2; Path=/"];

test("The headers of a response set the cookies, and keep it out of caches and referrers", () => {
  const headers = new Headers(responseHeaders(cookies));
  expect(headers.getSetCookie()).toEqual(cookies);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});

test("A response gets cookies beside its own, and stays out of caches", async () => {
  const own = new Response("body", {
    status: 201,
    headers: { "set-cookie": "own=0", "cache-control": "public", "x-kept": "yes" },
  });
  const response = withCookies(own, cookies);
  expect(response.status).toBe(201);
  expect(response.headers.getSetCookie()).toEqual(["own=0", ...cookies]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-kept")).toBe("yes");
  expect(await response.text()).toBe("body");
});

test("A response whose headers can't be changed gets cookies too", () => {
  const fixed = Response.redirect("https://app.example/");
  expect(withCookies(fixed, cookies).headers.getSetCookie()).toEqual(cookies);
});

describe("A redirect", () => {
  const request = new Request("https://app.example/login");
  const site = siteAddressOf(request, { site: null, callbackPath: "/callback" });

  test.each([
    ["/shop", "https://app.example/shop"],
    ["https://www.app.example/shop", "https://www.app.example/shop"],
  ])("leads to %s by its whole address", (page, location) => {
    const response = redirect(request, site, page, cookies);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(location);
    expect(response.headers.getSetCookie()).toEqual(cookies);
  });

  test("makes a GET request of a POST request", () => {
    const post = new Request(request, { method: "POST" });
    expect(redirect(post, site, "/shop", []).status).toBe(303);
  });
});
