import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCookie, setCookie } from "../../examples/shared/cookies.ts";

function requestWith(cookie: string): Request {
  return new Request("https://app.example/", { headers: { cookie } });
}

describe("readCookie()", () => {
  test("finds a cookie wherever it is in the header, and keeps what its value has", () => {
    const request = requestWith("a=1; __Host-session=x=y==;c=3 ;d=");
    expect(readCookie(request, "a")).toBe("1");
    expect(readCookie(request, "__Host-session")).toBe("x=y==");
    expect(readCookie(request, "c")).toBe("3");
    expect(readCookie(request, "d")).toBe("");
  });

  test("takes the first of two with the same name", () => {
    expect(readCookie(requestWith("a=1; a=2"), "a")).toBe("1");
  });

  test.each(["", "xsession=1", "session-x=1", "sessions", "session", "a=session=1", "Session=1"])(
    "does not find `session` in '%s'",
    (header) => {
      expect(readCookie(requestWith(header), "session")).toBe(null);
    },
  );

  test.each(["\u00a0", "\ufeff", "\u2000", "\t", "\v"])(
    "does not take a cookie with %j in front of `__Host-` for one of this site alone",
    (space) => {
      const headers = { get: () => `a=1; ${space}__Host-session=planted` };
      expect(readCookie({ headers } as unknown as Request, "__Host-session")).toBe(null);
    },
  );

  test("finds nothing when no cookie was sent", () => {
    expect(readCookie(new Request("https://app.example/"), "session")).toBe(null);
  });
});

describe("setCookie()", () => {
  test("keeps the cookie from scripts, other sites and plain HTTP", () => {
    expect(setCookie("__Host-session", "id", { maxAge: 60 })).toBe(
      "__Host-session=id; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax",
    );
  });

  test("can be for one path, and for plain HTTP on one's own machine", () => {
    expect(setCookie("attempt", "", { maxAge: 0, path: "/callback", secure: false })).toBe(
      "attempt=; Path=/callback; Max-Age=0; HttpOnly; SameSite=Lax",
    );
  });

  test.each(["a;b", "a b", 'a"b', "a,b", "a\\b", "a\r\nb", "é"])(
    "refuses the value %j, and does not repeat it",
    (value) => {
      expect(() => setCookie("session", value, { maxAge: 1 })).toThrow(
        new TypeError("The value of the cookie session has a character that a cookie can't have"),
      );
    },
  );

  test.each(["", "a=b", "a b", "a;b", "é"])("refuses the name %j", (name) => {
    expect(() => setCookie(name, "x", { maxAge: 1 })).toThrow(TypeError);
  });

  test("writes whatever readCookie() reads back", () => {
    const octet = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    const values = fc.array(octet).map((octets) => octets.join("").replace(/[",;\\]/g, ""));
    fc.assert(fc.property(values, (value) => {
      const [pair = ""] = setCookie("session", value, { maxAge: 1 }).split("; ");
      expect(readCookie(requestWith(`a=1; ${pair}; b=2`), "session")).toBe(value);
    }));
  });
});
