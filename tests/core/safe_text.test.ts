import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanText,
  createRedactor,
  mapTexts,
  startOfVisitorText,
} from "../../src/core/safe_text.ts";

describe("cleanText()", () => {
  test("returns one line of at most 1,000 characters for any text", () => {
    const unit = fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code));
    fc.assert(fc.property(fc.string({ unit, size: "large" }), (text) => {
      expect(cleanText(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(cleanText(text).length).toBeLessThanOrEqual(1000);
    }));
  });

  test("keeps safe text", () => {
    const text = 'Invalid "code" in request. – отказано – 👩‍👧 🚫';
    expect(cleanText(text)).toBe(text);
  });
});

test("startOfVisitorText() returns at most 200 characters", () => {
  expect(startOfVisitorText("x".repeat(200))).toHaveLength(200);
  expect(startOfVisitorText("x".repeat(201))).toHaveLength(200);
});

describe("mapTexts()", () => {
  test("changes a number if the function changes its digits, and keeps other numbers", () => {
    const hide = (text: string) => text.includes("4711") ? "[redacted]" : text;
    expect(mapTexts({ a: 4711, b: [47110], c: 12, d: true, e: null }, hide))
      .toEqual({ a: "[redacted]", b: ["[redacted]"], c: 12, d: true, e: null });
  });

  const upper = (text: string): string => text.toUpperCase();

  test("changes every text, keys included, and nothing else", () => {
    const value = { a: ["b", 1, null, true, { c: "d" }], e: {} };
    expect(mapTexts(value, upper)).toEqual({ A: ["B", 1, null, true, { C: "D" }], E: {} });
    expect(value.a[0]).toBe("b");
    expect(mapTexts("a", upper)).toBe("A");
    expect(mapTexts(undefined, upper)).toBeUndefined();
  });

  test("returns an equal JSON value if the function changes nothing", () => {
    const value = fc.jsonValue({ maxDepth: 4, depthSize: "small" })
      .filter((json) => JSON.stringify(json).length < 200);
    fc.assert(fc.property(value, (json) => {
      const copy = mapTexts(json, (text) => text);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(json));
    }));
  });

  test("keeps the key __proto__", () => {
    const copy = mapTexts(JSON.parse('{"__proto__":{"polluted":"yes"}}'), upper);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__PROTO__":{"POLLUTED":"YES"}}');
  });

  test("copies 16 levels", () => {
    const nested = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : [nested(levels - 1, inner)];
    expect(mapTexts(nested(16, "a"), upper)).toEqual(nested(16, "A"));
    expect(mapTexts(nested(17, "a"), upper)).toEqual(nested(16, "..."));
    expect(mapTexts(nested(5000, "a"), upper)).toEqual(nested(16, "..."));
  });

  test("copies the first 200 keys and list entries in any arrangement", () => {
    expect(mapTexts(Array(200).fill(1), upper)).toHaveLength(200);
    expect(mapTexts(Array(201).fill(1), upper)).toHaveLength(200);
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 1]));
    expect(Object.keys(Object(mapTexts(wide, upper)))).toHaveLength(200);
    expect(mapTexts([Array(150).fill(1), Array(150).fill(1), 1], upper))
      .toEqual([Array(150).fill(1), Array(48).fill(1)]);
  });
});

const token = "6qrZcUqja7812RVdnEKjpzOL4CvHBFGTOKEN";

/** Ways to write a character by its code. */
const escapes: Record<string, (code: number) => string> = {
  "percent-encoded": (code) => `%${code.toString(16)}`,
  "percent-encoded nine times": (code) => `%${"25".repeat(8)}${code.toString(16)}`,
  "as \\x41": (code) => `\\x${code.toString(16)}`,
  "as \\u0041": (code) => `\\u00${code.toString(16)}`,
  "as \\u{41}": (code) => `\\u{${code.toString(16)}}`,
  "as \\u{00041}": (code) => `\\u{000${code.toString(16)}}`,
  "as decimal entities": (code) => `&#${code};`,
  "as decimal entities without an end": (code) => `&#0${code} `,
  "as hexadecimal entities": (code) => `&#x000${code.toString(16)};`,
  "as entities in HTML": (code) => `&amp;#${code};`,
};

function escapeAll(text: string, escape: (code: number) => string): string {
  return text.replace(/[^]/g, (char) => escape(char.charCodeAt(0)));
}

describe("A redactor replaces a text that repeats", () => {
  test.each(["c0", "c0rrect!", "c0rrect-h0rse", token])("the secret %s", (secret) => {
    const redact = createRedactor([secret]);
    expect(redact(secret)).toBe("[redacted]");
    expect(redact(`You sent ${secret}.`)).toBe("[redacted]");
    expect(redact(`You sent ${secret.toUpperCase()}.`)).toBe("[redacted]");
    expect(redact(`You sent %${secret}.`)).toBe("[redacted]");
    expect(redact(`You sent %${secret.toUpperCase()}.`)).toBe("[redacted]");
    expect(redact("You sent nothing.")).toBe("You sent nothing.");
  });

  test.each(
    Object.keys(escapes).flatMap((how) =>
      ["c0", "c0rrect!", "pass%20w0rd", token].map((secret) => [secret, how] as const)
    ),
  )("the secret %s, %s", (secret, how) => {
    const escape = escapes[how] ?? String;
    expect(createRedactor([secret])(`You sent ${escapeAll(secret, escape)}.`)).toBe("[redacted]");
  });

  test("a secret with escapes in it, unescaped", () => {
    expect(createRedactor(["pass%2Fw0rd"])("You sent pass/w0rd.")).toBe("[redacted]");
    expect(createRedactor(["%63%30"])("You sent c0.")).toBe("[redacted]");
  });

  test("twelve letters and digits in a row of a secret, wherever they are", () => {
    const redact = createRedactor([token]);
    for (let start = 0; start + 12 <= token.length; start++) {
      expect(redact(`…${token.slice(start, start + 12)}…`)).toBe("[redacted]");
    }
    // Eight are enough from every fifth character on.
    for (let start = 0; start + 8 <= token.length; start += 5) {
      expect(redact(token.slice(start, start + 8))).toBe("[redacted]");
    }
    expect(redact(token.replace(/.{6}/g, "$&-&nbsp;&quot;"))).toBe("[redacted]");
  });

  test("the last twelve letters and digits of a secret of any length", () => {
    for (let length = 12; length <= token.length; length++) {
      const secret = token.slice(0, length);
      expect(createRedactor([secret])(`…${secret.slice(-12)}…`), secret).toBe("[redacted]");
    }
  });

  test("one of several secrets", () => {
    const redact = createRedactor(["first-secret", "second-secret"]);
    expect(redact("it is the first secret")).toBe("[redacted]");
    expect(redact("it is the second secret")).toBe("[redacted]");
    expect(redact("it is the third secret")).toBe("it is the third secret");
  });

  test("any secret of letters and digits, in any case, between any words", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{2,60}$/);
    const words = fc.string({ maxLength: 40 });
    fc.assert(fc.property(secret, words, words, fc.boolean(), (secret, before, after, upper) => {
      const told = upper ? secret.toUpperCase() : secret;
      expect(createRedactor([secret])(`${before} ${told} ${after}`)).toBe("[redacted]");
    }));
  });
});

describe("A redactor returns", () => {
  test("seven letters and digits in a row of a secret, wherever they are, and some longer pieces", () => {
    const redact = createRedactor([token]);
    for (let start = 0; start + 7 <= token.length; start++) {
      const piece = token.slice(start, start + 7);
      expect(redact(piece)).toBe(piece);
    }
    // From here, a piece of twelve is the shortest that has eight from the fifth, tenth, … character on.
    for (let start = 1; start + 11 <= token.length; start += 5) {
      const piece = token.slice(start, start + 11);
      expect(redact(piece)).toBe(piece);
    }
  });

  test.each([
    ["what has other letters", "401: Unauthorized &amp; 100%"],
    ["what is escaped over and over", `%${"25".repeat(99)}`],
    ["nothing", ""],
  ])("%s", (_what, text) => {
    expect(createRedactor([token])(text)).toBe(text);
  });

  test("every text unchanged, if the secrets are empty or there are none", () => {
    expect(createRedactor([])("text")).toBe("text");
    expect(createRedactor([""])("text")).toBe("text");
  });

  test("other texts unchanged, if a secret has neither letters nor digits", () => {
    expect(createRedactor(["!?"])("text")).toBe("text");
    expect(createRedactor(["!?"])("text!?")).toBe("[redacted]");
  });

  test("2,000 characters at most, and reads no more of a text with megabytes", () => {
    const redact = createRedactor([token]);
    const long = "%25".repeat(3_000_000);
    expect(redact(long)).toBe(long.slice(0, 2000));
    expect(redact("x".repeat(5000) + token)).toBe("x".repeat(2000));
    expect(redact("x".repeat(1000) + token)).toBe("[redacted]");
  });
});
