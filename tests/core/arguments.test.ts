import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkBoolean,
  checkedRedirectUri,
  checkSecret,
  checkSetting,
  checkSnowflake,
  checkTextLength,
  throwBadArgument,
  throwBadNumber,
  throwBadObject,
} from "../../src/core/arguments.ts";
import { processorTime } from "../support/processor_time.ts";

/** The message of the TypeError that a call throws, or nothing. */
function refusal(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

test("checkedRedirectUri() refuses a hundred thousand addresses at once", () => {
  const text = `${"://".repeat(100_000)}@`;
  const time = processorTime(() => {
    expect(refusal(() => checkedRedirectUri(text))).toContain("redirectUri must");
  });
  expect(time).toBeLessThan(2000);
});

describe("throwBadArgument()", () => {
  test.each<[unknown, string]>([
    [undefined, "undefined; is the variable set?"],
    [null, "null; is the variable set?"],
    ["", "an empty string; is the variable set?"],
    ["undefined", "undefined; is the variable set?"],
    ["null", "null; is the variable set?"],
    [Promise.resolve("s3cret"), "a Promise: await it"],
    ["s3cret", "a string of length 6"],
    [5, "number"],
    [5n, "bigint"],
    [false, "boolean"],
    [[], "an empty list"],
    [["s3cret"], "a list of 1"],
    [["s3cret", null, []], "a list of 3"],
    [{ s3cret: "s3cret" }, "object"],
    [Symbol("s3cret"), "symbol"],
    [() => "s3cret", "function"],
    [Object.create(null), "object"],
  ])("names the kind of %o and shows no text", (received, found) => {
    expect(refusal(() => throwBadArgument("limit", "a number", received)))
      .toBe(`limit must be a number, received ${found}`);
  });

  test("shows no text, however short", () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), (secret) => {
      fc.pre(secret !== "undefined" && secret !== "null");
      expect(refusal(() => throwBadArgument("a", "b", secret)))
        .toBe(
          `a must be b, received a string of length ${secret.length}`,
        );
    }));
  });
});

describe("throwBadNumber()", () => {
  test("shows a number, and the kind of everything else", () => {
    for (const [received, found] of [[-5, "-5"], [NaN, "NaN"], [1e9, "1000000000"]]) {
      expect(refusal(() => throwBadNumber("timeout", "above 0", received)))
        .toBe(`timeout must be above 0, received ${found}`);
    }
    expect(refusal(() => throwBadNumber("timeout", "above 0", "s3cret")))
      .toBe("timeout must be above 0, received a string of length 6");
  });
});

describe("throwBadObject()", () => {
  test.each([[undefined, "undefined"], [null, "null"]])(
    "asks for no environment variable for %s",
    (received, found) => {
      expect(() => throwBadObject("store", "a Store", received))
        .toThrow(new TypeError(`store must be a Store, received ${found}`));
    },
  );

  test("says the same as throwBadArgument() about everything else", () => {
    for (const received of [5, () => {}, "", "s3cret", Promise.resolve()]) {
      const [ofObject, ofAny] = [throwBadObject, throwBadArgument].map((throwIt) =>
        refusal(() => throwIt("store", "a Store", received))
      );
      expect(ofObject).toBe(ofAny);
    }
  });
});

test("throwBadObject() names the kind of an object", () => {
  for (
    const [received, kind] of [
      [[], "an empty list"],
      [[1, 2, 3], "a list of 3"],
      [null, "null"],
      [{}, "Object"],
      [new Map(), "Map"],
    ] as const
  ) {
    expect(refusal(() => throwBadObject("options", "a plain object", received)))
      .toBe(`options must be a plain object, received ${kind}`);
  }
});

describe("checkTextLength()", () => {
  test("accepts a text by its number of characters, and counts an emoji as one", () => {
    for (const text of ["a", "abc", "🧶🧶🧶"]) {
      expect(() => checkTextLength("name", text, { min: 1, max: 3 })).not.toThrow();
    }
    expect(() => checkTextLength("name", "", { max: 3 })).not.toThrow();
  });

  test.each<[unknown, string]>([
    ["", "RangeError: name must have 1 to 3 characters, received 0"],
    ["s3cret", "RangeError: name must have 1 to 3 characters, received 6"],
    ["🧶🧶🧶🧶", "RangeError: name must have 1 to 3 characters, received 4"],
    [1, "TypeError: name must be a string, received number"],
    [["a"], "TypeError: name must be a string, received a list of 1"],
    [
      undefined,
      "TypeError: name must be a string, received undefined; is the variable set?",
    ],
  ])("refuses %o and shows no text", (value, message) => {
    const check = () => checkTextLength("name", value, { min: 1, max: 3 });
    expect(check).toThrow(message.startsWith("Range") ? RangeError : TypeError);
    expect(check).toThrow(message.replace(/^\w+: /, ""));
  });

  test("names only the longest length if no text is too short", () => {
    expect(() => checkTextLength("name", "abcd", { max: 3 }))
      .toThrow("name must have at most 3 characters, received 4");
  });
});

describe("checkSnowflake()", () => {
  test("accepts a snowflake of discord-api-types: up to 64 bits in decimal", () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
      expect(refusal(() => checkSnowflake("id", String(id)))).toBeUndefined();
    }));
  });

  test.each([5n, null, undefined, "", "1.5", "-1", "1e3", "０", "1\n", "1".repeat(21), ["1"]])(
    "refuses %o",
    (id) => {
      expect(refusal(() => checkSnowflake("id", id))).toMatch(/^id must be digits/);
    },
  );

  test("says that a number loses digits", () => {
    expect(refusal(() => checkSnowflake("id", 41771983423143937)))
      .toBe("id must be digits in a string, received number: quote it");
    expect(refusal(() => checkSnowflake("id", 41771983423143937n)))
      .toBe("id must be digits in a string, received bigint");
  });
});

describe("checkSecret()", () => {
  test.each(["s", "s3cret", "a!~#$%&'*+-.^_`|~9", "undefined-", "-null"])(
    "accepts %s",
    (secret) => {
      expect(refusal(() => checkSecret("token", secret))).toBeUndefined();
    },
  );

  test.each<[unknown, string]>([
    ["s3 cret", "a string of length 7"],
    ["s3cr\u00e9t", "a string of length 6"],
    ["", "an empty string; is the variable set?"],
    ["undefined", "undefined; is the variable set?"],
    ["null", "null; is the variable set?"],
    [undefined, "undefined; is the variable set?"],
    [Promise.resolve("s3cret"), "a Promise: await it"],
    [5, "number"],
  ])("refuses %o", (secret, received) => {
    expect(refusal(() => checkSecret("token", secret)))
      .toBe(`token must be ASCII text without whitespace, received ${received}`);
  });
});

test("checkSecret() says what was not meant in a value from the environment", () => {
  expect(refusal(() => checkSecret("clientSecret", "s3cret\n")))
    .toBe("clientSecret must not contain U+000a at character 7");
  expect(refusal(() => checkSecret("clientSecret", '"s3cret"')))
    .toBe('clientSecret must not contain " at character 1');
});

describe("checkBoolean()", () => {
  test.each([true, false])("accepts %o", (value) => {
    expect(refusal(() => checkBoolean("flag", value))).toBeUndefined();
  });

  test.each([0, 1, "", "false", "true", null, undefined, NaN, [], {}, 1n, Object(true)])(
    "refuses %o",
    (value) => {
      expect(refusal(() => checkBoolean("flag", value)))
        .toMatch(/^flag must be true or false, received /);
    },
  );
});

describe("checkedRedirectUri()", () => {
  test.each([
    "https://app.example/callback",
    "http://localhost:8787/callback?a=b@c",
    "com.example.app:/callback",
    "com.example.app://callback",
    "HTTPS://APP.EXAMPLE",
    "https://app.example/ü",
  ])("accepts %s as it is", (uri) => {
    expect(checkedRedirectUri(uri)).toBe(uri);
  });

  test("accepts a URL", () => {
    expect(checkedRedirectUri(new URL("https://app.example/a b"))).toBe(
      "https://app.example/a%20b",
    );
  });

  test("refuses a zero-width character, which the platform would compare", () => {
    for (const uri of ["https://app.example/callback\u200b", "https://app\u2060.example/"]) {
      expect(refusal(() => checkedRedirectUri(uri))).toContain("redirectUri");
    }
  });

  const usual = "redirectUri must be an absolute URL without a fragment, received";

  test.each<[unknown, string]>([
    [undefined, `${usual} undefined; is the variable set?`],
    ["undefined", `${usual} undefined; is the variable set?`],
    ["", `${usual} an empty string; is the variable set?`],
    [Promise.resolve("https://app.example/"), `${usual} a Promise: await it`],
    [5, `${usual} number`],
    [{ toString: () => "s3cret" }, `${usual} object`],
    ["/callback", `${usual} a string of length 9`],
    ["app.example/callback", `${usual} a string of length 20`],
    ["localhost:3000/callback", `${usual} a string of length 23`],
    ["https://app .example/", `${usual} a string of length 21`],
    [
      "https://app.example/\ud800",
      usual.replace("must", "https://app.example/%EF%BF%BD must") + " a string of length 21",
    ],
    [
      "https://app.example/ s3cret#a",
      usual.replace("must", "https://app.example/%20s3cret#… must") + " a string of length 29",
    ],
  ])("refuses %o", (uri, message) => {
    expect(refusal(() => checkedRedirectUri(uri as string))).toBe(message);
  });

  test.each([
    ["a token in the fragment", "https://app.example/cb#access_token=s3cret"],
    ["a token in the query", "https://app.example/cb?token=s3cret#"],
  ])("shows scheme, host and path, but not %s", (_, uri) => {
    expect(refusal(() => checkedRedirectUri(uri)))
      .toBe(
        usual.replace("must", "https://app.example/cb#… must") +
          ` a string of length ${uri.length}`,
      );
  });

  test.each([
    "s3cret/with/slashes==",
    "javascript:s3cret",
    "mailto:s3cret@host",
    "https:s3cret/a",
    "https://user:s3cret@app.example/cb",
    "https://user:12/s3cret@app.example/cb",
  ])(
    "shows nothing of %s, which is not an address",
    (uri) => {
      expect(refusal(() => checkedRedirectUri(`${uri}#`))).toBe(
        `${usual} a string of length ${uri.length + 1}`,
      );
    },
  );
});

const secret = "Zk3w-9QfLr7x_B2yHnVt5mPd8sUc1aEg";

describe("checkSetting()", () => {
  test.each<[string, string, string]>([
    ["a line break at the end", `${secret}\n`, "U+000a at character 33"],
    ["a line break of Windows", `${secret}\r\n`, "U+000a at character 34"],
    ["a carriage return", `${secret}\r`, "U+000d at character 33"],
    ["a space at the end", `${secret} `, "U+0020 at character 33"],
    ["a space before it", ` ${secret}`, "U+0020 at character 1"],
    ["a tab", `${secret}\t`, "U+0009 at character 33"],
    ["a no-break space", `${secret}\xa0`, "U+00a0 at character 33"],
    [
      "a byte order mark",
      `\ufeff${secret}`,
      "U+feff at character 1",
    ],
    ["a zero-width space", `ab\u200bcd`, "U+200b at character 3"],
    ["a word joiner", `ab\u2060cd`, "U+2060 at character 3"],
    ["a soft hyphen", `ab\xadcd`, "U+00ad at character 3"],
    ["a direction mark", `ab\u200e`, "U+200e at character 3"],
    ["an invisible letter", `ab\u3164cd`, "U+3164 at character 3"],
    ["a tag", `ab\u{e0041}cd`, "U+e0041 at character 3"],
    ["double quotes", `"${secret}"`, '" at character 1'],
    ["single quotes", `'${secret}'`, "' at character 1"],
    ["backticks", `\`${secret}\``, "` at character 1"],
    ["quotes around lines", `"${secret}\n${secret}"`, '" at character 1'],
    ["a variable", "${CLIENT_SECRET}", "${ at character 1"],
    ["a variable with a default", "${SECRET:-abc}", "${ at character 1"],
    ["a variable in an address", "https://${HOST}/a", "${ at character 9"],
    ["a variable without braces", "$CLIENT_SECRET", "$ at character 1"],
    ["a variable of Windows", "%CLIENT_SECRET%", "% at character 1"],
    ["a command", "$(cat /run/secrets/a)", "$( at character 1"],
    ["a comment", `${secret} # production`, "# at character 33"],
  ])("refuses %s", (_what, value, unwanted) => {
    expect(refusal(() => checkSetting("secret", value))).toBe(
      `secret must not contain ${unwanted}`,
    );
  });

  test.each<[string, unknown]>([
    ["a random secret", secret],
    ["base64", "4Vn+/w=="],
    ["a text of several words", "correct horse battery staple, four words"],
    ["special characters", `a"b'c$d%e#f{g}\\h`],
    ["a quote at one end", `"${secret}`],
    ["a letter beyond ASCII", "tökén"],
    ["an address", "https://app.example/callback?a=b#c"],
    ["empty text", ""],
    ["a number", 5],
    ["no value", undefined],
  ])("accepts %s", (_what, value) => {
    expect(refusal(() => checkSetting("secret", value))).toBeUndefined();
  });

  test("never shows the text", () => {
    fc.assert(fc.property(fc.string({ minLength: 20, unit: "binary" }), (text) => {
      expect(refusal(() => checkSetting("secret", `${text}\n`))).not.toContain(text);
      expect(refusal(() => checkSetting("secret", `"${text}"`))).not.toContain(text);
    }));
  });
});

test("checkSnowflake() says what to pass instead of an object", () => {
  expect(refusal(() => checkSnowflake("clientId", { clientId: "1" })))
    .toBe("clientId must be digits in a string, received object: pass the id itself");
});
