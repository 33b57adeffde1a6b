import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkBoolean,
  checkSecret,
  checkSnowflake,
  checkSnowflakeSecretly,
  refuse,
  refuseSecretly,
} from "../src/arguments.ts";

/** The message of the TypeError that a call throws, or nothing. */
function refusal(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

describe("refuse()", () => {
  test("names the argument, what was expected, and what was received with its type", () => {
    expect(refusal(() => refuse("limit", "a number", "ten")))
      .toBe('limit must be a number, received string "ten"');
    expect(refusal(() => refuse("limit", "a number", undefined)))
      .toBe('limit must be a number, received undefined "undefined"');
    expect(refusal(() => refuse("limit", "a number", [1, 2])))
      .toBe('limit must be a number, received object "1,2"');
    expect(refusal(() => refuse("limit", "a number", Symbol("ten"))))
      .toBe('limit must be a number, received symbol "Symbol(ten)"');
  });

  test("shows 28 characters, and nothing at all of what has more", () => {
    expect(refusal(() => refuse("a", "b", "x".repeat(28)))).toContain(`"${"x".repeat(28)}"`);
    expect(refusal(() => refuse("a", "b", "x".repeat(29)))).toContain('received string "..."');
    expect(refusal(() => refuse("a", "b", "x".repeat(1e7)))).toContain('received string "..."');
    fc.assert(fc.property(fc.string({ minLength: 29 }), (secret) => {
      expect(refusal(() => refuse("a", "b", secret))).toBe('a must be b, received string "..."');
    }));
  });

  test("shows nothing of a long text of short lines", () => {
    expect(refusal(() => refuse("a", "b", "s3cret\n".repeat(5)))).not.toContain("s3cret");
  });
});

describe("refuseSecretly()", () => {
  test("tells only how long a text is", () => {
    expect(refusal(() => refuseSecretly("code", "a code", "s3cret")))
      .toBe('code must be a code, received string "6 characters"');
  });

  test.each([undefined, null, "", "undefined", "null", 5])("tells that it received %o", (unset) => {
    expect(refusal(() => refuseSecretly("code", "a code", unset)))
      .toBe(`code must be a code, received ${typeof unset} "${unset}"`);
  });
});

describe("checkSnowflake()", () => {
  test("takes what discord-api-types calls a snowflake: up to 64 bits in decimal", () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
      expect(refusal(() => checkSnowflake("id", String(id)))).toBeUndefined();
      expect(refusal(() => checkSnowflakeSecretly("id", String(id)))).toBeUndefined();
    }));
  });

  test.each([5, 5n, null, undefined, "", "1.5", "-1", "1e3", "０", "1\n", "1".repeat(21)])(
    "refuses %o",
    (id) => {
      expect(refusal(() => checkSnowflake("id", id)))
        .toBe(`id must be a string of digits, received ${typeof id} "${id}"`);
      expect(refusal(() => checkSnowflakeSecretly("id", id)))
        .toMatch(/^id must be a string of digits, received /);
    },
  );

  test("shows nothing of a secret that stands in its place", () => {
    expect(refusal(() => checkSnowflakeSecretly("id", "s3cret")))
      .toBe('id must be a string of digits, received string "6 characters"');
  });
});

describe("checkSecret()", () => {
  test.each(["s", "s3cret", "a!~#$%&'*+-.^_`|~9", "undefined-", "-null"])("takes %s", (secret) => {
    expect(refusal(() => checkSecret("token", secret))).toBeUndefined();
  });

  test.each<[unknown, string]>([
    ["s3 cret", 'received string "7 characters"'],
    ["s3cret\n", 'received string "7 characters"'],
    ["s3cr\u00e9t", 'received string "6 characters"'],
    ["", 'received string ""'],
    ["undefined", 'received string "undefined"'],
    ["null", 'received string "null"'],
    [undefined, 'received undefined "undefined"'],
    [5, 'received number "5"'],
  ])("refuses %o", (secret, received) => {
    expect(refusal(() => checkSecret("token", secret)))
      .toBe(`token must be text without white space, ${received}`);
  });
});

describe("checkBoolean()", () => {
  test.each([true, false])("takes %o", (value) => {
    expect(refusal(() => checkBoolean("flag", value))).toBeUndefined();
  });

  test.each([0, 1, "", "false", "true", null, undefined, NaN, [], {}, 1n, Object(true)])(
    "refuses %o",
    (value) => {
      expect(refusal(() => checkBoolean("flag", value)))
        .toBe(`flag must be true or false, received ${typeof value} "${value}"`);
    },
  );
});
