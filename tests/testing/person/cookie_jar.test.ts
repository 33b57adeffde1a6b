import { describe, expect, test } from "vitest";
import { CookieJar } from "../../../src/testing/mod.ts";

function setting(...cookies: readonly string[]): Response {
  const headers = new Headers();
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { headers });
}

const SECURE = "Path=/; Secure; HttpOnly; SameSite=Lax";

describe("A cookie jar", () => {
  test("sends its cookies except removed ones", () => {
    const jar = new CookieJar();
    expect(jar.header).toBe("");
    expect(jar.request("https://app.example/").headers.has("cookie")).toBe(false);
    jar.store(setting("a=1; Path=/", "b=x=y; Path=/; Max-Age=60", "flag"), "https://app.example/");
    expect(jar.header).toBe("a=1; b=x=y; flag=");
    jar.store(setting("a=2", "b=; Max-Age=0"), "https://app.example/");
    const request = jar.request("https://app.example/", { headers: { accept: "text/html" } });
    expect(Object.fromEntries(request.headers)).toEqual({
      accept: "text/html",
      cookie: "a=2; flag=",
    });
  });

  test("does not send expired cookies, the form of removal in Express and others", () => {
    const past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT";
    const future = "Expires=Fri, 01 Jan 2100 00:00:00 GMT";
    const jar = new CookieJar();
    jar.store(
      setting(`a=1; ${future}`, `b=1; ${past}; Max-Age=60`, `c=1; ${future}; Max-Age=0`, "d=1"),
      "https://app.example/",
    );
    expect(jar.header).toBe("a=1; b=1; d=1");
    jar.store(setting(`a=; Path=/; ${past}`, "d=2; Expires=some day"), "https://app.example/");
    expect(jar.header).toBe("b=1; d=2");
  });

  test("shows the attributes of its cookies", () => {
    const jar = new CookieJar();
    jar.store(setting(`__Host-a=1; ${SECURE}`), "https://app.example/");
    expect(jar.cookies).toEqual([{
      name: "__Host-a",
      value: "1",
      attributes: { path: "/", secure: "", httponly: "", samesite: "Lax" },
    }]);
  });

  test.each([
    ["a secure cookie over plain HTTP", `a=1; ${SECURE}`, "http://app.example/"],
    ["a prefix over plain HTTP", `__Host-a=1; ${SECURE}`, "http://localhost/"],
    ["a prefix without Secure", "__Host-a=1; Path=/", "https://app.example/"],
    ["a prefix with a domain", `__Host-a=1; Domain=app.example; ${SECURE}`, "https://app.example/"],
    ["a prefix with a path", "__Host-a=1; Path=/a; Secure", "https://app.example/"],
    ["a cookie that is too long", `a=${"x".repeat(4096)}`, "https://app.example/"],
  ])("refuses %s, as browsers do", (_what, cookie, url) => {
    const jar = new CookieJar();
    jar.store(setting(cookie), url);
    expect(jar.cookies).toEqual([]);
  });

  test("sends a secure cookie only over HTTPS, and over plain HTTP to localhost", () => {
    const jar = new CookieJar();
    jar.store(setting(`a=1; ${SECURE}`, "b=2"), "https://app.example/");
    expect(jar.request("https://app.example/").headers.get("cookie")).toBe("a=1; b=2");
    expect(jar.request("http://app.example/").headers.get("cookie")).toBe("b=2");
    expect(jar.request("http://localhost:1/").headers.get("cookie")).toBe("a=1; b=2");
  });

  test("accepts a secure cookie over plain HTTP from localhost", () => {
    const jar = new CookieJar();
    jar.store(setting(`a=1; ${SECURE}`), "http://localhost:3000/");
    expect(jar.header).toBe("a=1");
  });
});
