import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TokenObj } from "../../src/resources/token.ts";
import {
  expiryOf,
  isRemoved,
  isToken,
  isValidFor,
  newRecord,
  readRecord,
  refusedRecord,
  withSpare,
} from "../../src/tokens/token_record.ts";

const token: TokenObj = {
  access_token: "access",
  token_type: "Bearer",
  expires_in: 604_800,
  expires_at: 1_800_000_000_000,
  refresh_token: "refresh",
  scope: "identify",
  scopes: ["identify"],
  guild: null,
  webhook: null,
  id_token: null,
};
const other: TokenObj = { ...token, access_token: "other" };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a record as a store gives it back. */
function stored(changes: object = {}): unknown {
  return JSON.parse(JSON.stringify({ ...newRecord(token, 5), ...changes }));
}

describe("newRecord()", () => {
  test("keeps the token, has a random number, and nothing else yet", () => {
    expect(newRecord(token, 5)).toEqual({
      format: 1,
      token,
      lease: null,
      refused: false,
      pause: null,
      renewedAt: null,
      jitter: expect.any(Number),
      startedAt: 5,
      spare: null,
      login: null,
      awaitsRevocation: false,
    });
  });
});

describe("readRecord()", () => {
  const lease = { id: "a", duration: 20_000, until: 1_790_000_020_000 };
  const pause = { until: 1_790_000_010_000, isLimit: true };

  test("reads everything that a record has", () => {
    const whole = {
      lease,
      refused: true,
      pause,
      renewedAt: 7,
      jitter: 0.25,
      startedAt: 9,
      spare: other,
      login: { digest: "d1", isFirst: true },
      awaitsRevocation: true,
    };
    expect(readRecord(stored(whole))).toEqual({ format: 1, token, ...whole });
  });

  test("reads a record of another version, which may lack everything but the token", () => {
    const empty = {
      lease: null,
      refused: false,
      pause: null,
      renewedAt: null,
      jitter: 0,
      startedAt: 0,
      spare: null,
      login: null,
      awaitsRevocation: false,
    };
    expect(readRecord({ token })).toEqual({ format: 1, token, ...empty });
    const wrong = {
      lease: { ...lease, until: "soon" },
      refused: "yes",
      pause: { until: "soon" },
      renewedAt: "now",
      jitter: "much",
      startedAt: "then",
      spare: { ...other, scopes: "identify" },
      login: { digest: 7, isFirst: true },
      awaitsRevocation: "yes",
    };
    expect(readRecord(stored(wrong))).toEqual({ format: 1, token, ...empty });
    expect(readRecord(stored({ lease: { ...lease, duration: "long" } }))?.lease).toBeNull();
    const login = { digest: "d1", isFirst: "yes" };
    expect(readRecord(stored({ login }))?.login).toEqual({ digest: "d1", isFirst: false });
  });

  test.each([null, undefined, "text", {}, { token: null }, { token: "access" }])(
    "returns null for %j",
    (value) => {
      expect(readRecord(value)).toBeNull();
    },
  );

  test("returns tokens that can't be changed", () => {
    const record = readRecord(stored({ spare: other }));
    expect([record?.token, record?.spare, record?.token.scopes].every(Object.isFrozen)).toBe(true);
  });
});

describe("isRemoved()", () => {
  test("is true for an empty object, which takes the place of a record", () => {
    expect(isRemoved({})).toBe(true);
  });

  test.each([null, "", "sealed text", { token: null }])("is false for %j", (value) => {
    expect(isRemoved(value)).toBe(false);
  });
});

describe("isToken()", () => {
  test("accepts a token without a refresh token or a known end", () => {
    expect(isToken(token)).toBe(true);
    expect(isToken({ ...token, refresh_token: null, expires_at: null })).toBe(true);
  });

  test.each<object>([
    { access_token: undefined },
    { access_token: 5 },
    { scopes: undefined },
    { scopes: "identify" },
    { refresh_token: undefined },
    { refresh_token: 5 },
    { expires_at: undefined },
    { expires_at: "tomorrow" },
  ])("refuses a token with %j", (change) => {
    expect(isToken({ ...token, ...change })).toBe(false);
  });
});

describe("A record whose refresh token is refused", () => {
  test("keeps its token without a lease", () => {
    const record = { ...newRecord(token, 5), lease: { id: "a", duration: 1, until: 2 } };
    expect(refusedRecord(record)).toEqual({ ...record, lease: null, refused: true });
  });

  test("is replaced by the spare token, with the time of its login", () => {
    const record = withSpare(newRecord(token, 5), other);
    expect(record).toMatchObject({ token, spare: other });
    expect(refusedRecord(record)).toMatchObject({
      token: other,
      startedAt: 5,
      refused: false,
      spare: null,
    });
  });
});

describe("The end of a record", () => {
  test("is unknown while its token can be refreshed or has no known end", () => {
    expect(expiryOf(newRecord(token, 0))).toBeUndefined();
    const endless = { ...token, refresh_token: null, expires_at: null };
    expect(expiryOf(newRecord(endless, 0))).toBeUndefined();
    expect(expiryOf({ ...newRecord({ ...token, expires_at: null }, 0), refused: true }))
      .toBeUndefined();
  });

  test("is a day after that of a token that can't be refreshed", () => {
    const end = 1_800_086_400_000;
    expect(expiryOf(newRecord({ ...token, refresh_token: null }, 0))).toBe(end);
    expect(expiryOf({ ...newRecord(token, 0), refused: true })).toBe(end);
  });

  test("is a day after its save, if the token has ended before", () => {
    const ended = { ...token, expires_at: Date.now() - 40 * 86_400_000 };
    expect(expiryOf({ ...newRecord(ended, 0), refused: true })).toBe(Date.now() + 86_400_000);
  });
});

describe("A token is valid for some time", () => {
  const endingIn = (milliseconds: number, expires_in: number | null = 604_800) => ({
    ...token,
    expires_in,
    expires_at: Date.now() + milliseconds,
  });

  test("if it ends after that time", () => {
    expect(isValidFor(endingIn(60_001), 60_000)).toBe(true);
    expect(isValidFor(endingIn(60_000), 60_000)).toBe(false);
    expect(isValidFor(endingIn(60_001, null), 60_000)).toBe(true);
    expect(isValidFor(endingIn(60_000, null), 60_000)).toBe(false);
    expect(isValidFor({ ...token, expires_at: null }, 60_000)).toBe(true);
  });

  test("of at most a quarter of its life", () => {
    expect(isValidFor(endingIn(25_001, 100), 60_000)).toBe(true);
    expect(isValidFor(endingIn(25_000, 100), 60_000)).toBe(false);
  });
});
