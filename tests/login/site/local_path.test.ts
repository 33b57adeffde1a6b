import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { homeOf, localPath } from "../../../src/login/site/local_path.ts";

const SITE = "https://app.example";
const FRONTEND = "https://www.app.example";

describe("localPath()", () => {
  test.each([
    ["/", "/"],
    ["/shop?page=2#top", "/shop?page=2#top"],
    ["/a/../b", "/b"],
    ["?page=2", "/?page=2"],
    ["/search?q=https://evil.example", "/search?q=https://evil.example"],
    ["https://app.example/shop", "/shop"],
    ["https://app.example:443/shop", "/shop"],
    ["/é", "/%C3%A9"],
    [`/${"a".repeat(1023)}`, `/${"a".repeat(1023)}`],
  ])("accepts %s", (address, path) => {
    expect(localPath(address, SITE)).toBe(path);
  });

  test("accepts a URL object of this site", () => {
    expect(localPath(new URL("/shop", SITE), SITE)).toBe("/shop");
  });

  test.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\u0000//evil.example",
    " //evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
    "https://evil.example",
    "https:evil.example",
    "https:/\\evil.example",
    "http://app.example/",
    " https://app.example/shop",
    "shop?from=https://app.example/",
    "https://app.example@evil.example/",
    "https://user:password@app.example/shop",
    "https://:password@app.example/shop",
    "https://app.example.evil.example/",
    "https://app.example:8443/",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "/\ud800",
    `/${"a".repeat(1025)}`,
    "",
    null,
    undefined,
  ])("returns null for %j", (address) => {
    expect(localPath(address, SITE)).toBeNull();
  });

  test.each([
    [`${FRONTEND}/shop?page=2#top`, `${FRONTEND}/shop?page=2#top`],
    [FRONTEND, `${FRONTEND}/`],
    [`${FRONTEND}:443/a/../é`, `${FRONTEND}/%C3%A9`],
    ["https://app.example/shop", "/shop"],
    [`${FRONTEND}/${"a".repeat(1025)}`, `${FRONTEND}/`],
    [`${FRONTEND}//evil.example`, null],
    ["//www.app.example/shop", null],
    ["//www.app.example/shop?from=https://app.example", null],
  ])("returns the page of a frontend for %s", (address, page) => {
    expect(localPath(address, SITE, ["https://shop.app.example", FRONTEND])).toBe(page);
  });

  test("never leaves the site, whatever the address is made of", () => {
    const part = fc.constantFrom(
      ...["/", "\\", ".", "..", "%09", "%2f", "%5c", "\t", "\n", "@", ":", "?", "#", "//", "http:"],
      ...[
        "https:",
        "evil.example",
        "app.example",
        "www.app.example",
        "user",
        "[::1]",
        "\u0000",
        "\u2028",
        " ",
        "é",
      ],
    );
    const frontends = [FRONTEND];
    const address = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(fc.property(address, (address) => {
      const path = localPath(address, SITE) ?? "/";
      expect(path).toMatch(/^\/(?![/\\])/);
      expect(new URL(path, SITE).origin).toBe(SITE);
      expect(new URL(SITE + path).origin).toBe(SITE);
      const page = localPath(address, SITE, frontends) ?? "/";
      if (page !== path) expect(page).toMatch(/^https:\/\/www\.app\.example\/(?![/\\])/);
      // Most of these are pages of the frontend.
      const other = localPath(`${FRONTEND}/${address}`, SITE, frontends) ?? "/";
      const { origin } = new URL(other, SITE);
      expect([SITE, FRONTEND]).toContain(origin);
    }));
  });
});

test("homeOf() returns the home page of a frontend, and null for a page of the site", () => {
  expect(homeOf("/shop?page=2")).toBeNull();
  expect(homeOf(`${FRONTEND}/shop?page=2`)).toBe(`${FRONTEND}/`);
});
