import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TokenObj } from "../../src/resources/token.ts";
import {
  backedOffRecord,
  doubtfulRecord,
  endMargin,
  expiryOf,
  fromStoredToken,
  isRemoved,
  isToken,
  isValidFor,
  newRecord,
  readRecord,
  refreshMargin,
  refusedRecord,
  toStoredToken,
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
  const pause = {
    until: 1_790_000_010_000,
    limitUntil: 1_790_000_005_000,
    failures: 3,
    failure: { status: 503, retryAfter: 2 },
  };

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
    expect(readRecord({ format: 1, token, startedAt: 9 })).toEqual({
      format: 1,
      token,
      ...empty,
      startedAt: 9,
    });
    const other = { format: 2, lease: "l1", pause: "soon", login: "d1", spare: "t0ken" };
    expect(readRecord(stored(other))).toEqual({ format: 1, token, ...empty });
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
    const record = { ...newRecord(token, 5), spare: other };
    expect(record).toMatchObject({ token, spare: other });
    expect(refusedRecord(record)).toMatchObject({
      token: other,
      startedAt: 5,
      refused: false,
      spare: null,
    });
  });
});

describe("A record after a refresh that the platform did not process", () => {
  const minute = 60_000;
  const leased = { ...newRecord(token, 5), lease: { id: "a", duration: 1, until: 2 } };

  test("has no lease, and a wait that doubles up to an hour", () => {
    let record = leased;
    const pauses = Array.from({ length: 8 }, () => {
      record = backedOffRecord(record, null) as typeof leased;
      expect(record).toMatchObject({ token, lease: null, pause: { limitUntil: null } });
      return (Number(record.pause?.until) - Date.now()) / minute;
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test.each([[5000, minute], [90_000, 90_000]])(
    "keeps the limit of the platform too: %i ms",
    (limit, pause) => {
      const now = Date.now();
      const expected = { until: now + pause, limitUntil: now + limit, failures: 1 };
      expect(backedOffRecord(leased, limit).pause).toEqual(expected);
    },
  );
});

test("A record after a refresh without a known outcome keeps its lease, which has ended", () => {
  const lease = { id: "a", duration: 20_000, until: Date.now() + 20_000 };
  const record = { ...newRecord(token, 5), lease };
  expect(doubtfulRecord(record)).toEqual({
    ...record,
    lease: { id: "a", duration: 0, until: 0 },
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
  const endingIn = (milliseconds: number) => ({
    ...token,
    expires_at: Date.now() + milliseconds,
  });

  test("if it ends after that time", () => {
    expect(isValidFor(endingIn(60_001), 60_000)).toBe(true);
    expect(isValidFor(endingIn(60_000), 60_000)).toBe(false);
    expect(isValidFor({ ...token, expires_at: null }, 60_000)).toBe(true);
  });
});

describe("A token that lives", () => {
  const day = 86_400;

  test.each<[string, number | null, number | null, number, number]>([
    ["a week", 7 * day, null, 1.75 * day, 1.05 * day],
    ["unknown", null, null, 1.75 * day, 1.05 * day],
    ["an hour", 3600, null, 900, 540],
    ["ten minutes", 600, null, 150, 120],
    ["four minutes", 240, null, 60, 60],
    ["a minute", 60, null, 15, 15],
    ["a week, with the option of a day", 7 * day, day, day, 1.25 * day],
    ["a week, with the option of a year", 7 * day, 365 * day, 3.5 * day, 3.5 * day],
    ["100 seconds, with the option of a minute", 100, 60, 50, 50],
  ])("%s is refreshed in its last part", (_time, expires_in, option, first, last) => {
    const marginOf = (jitter: number) => {
      const record = { ...newRecord({ ...token, expires_in }, 5), jitter };
      return refreshMargin(record, option === null ? null : option * 1000) / 1000;
    };
    expect(marginOf(0)).toBe(first);
    expect(marginOf(1)).toBe(last);
  });

  test.each([[604_800, 60_000], [null, 60_000], [240, 60_000], [100, 25_000]])(
    "%s seconds is not used in its last %i milliseconds",
    (expires_in, margin) => {
      expect(endMargin({ ...token, expires_in })).toBe(margin);
    },
  );
});

const storedToken = {
  access_token: "acc3ss-s3cret",
  refresh_token: "r3fresh-s3cret",
  scopes: ["identify"],
  guild: { id: "1" },
  webhook: { id: "2", token: "w3bhook-s3cret", url: "https://w3bhook-s3cret.example" },
  id_token: "id-t0ken",
} as unknown as TokenObj;

test("A stored token has none of the parts that come only with a login", () => {
  expect(toStoredToken(storedToken)).toEqual({
    ...storedToken,
    guild: null,
    webhook: null,
    id_token: null,
  });
});

test("A restored token is frozen and prints without its secrets, nor those of a webhook", () => {
  const restored = fromStoredToken(storedToken);
  expect(JSON.parse(JSON.stringify(restored))).toEqual(storedToken);
  expect([restored, restored.scopes, restored.webhook].every(Object.isFrozen)).toBe(true);
  expect(inspect(restored)).toContain("identify");
  expect(inspect(restored)).not.toContain("s3cret");
  expect(inspect(restored.webhook)).not.toContain("s3cret");
});
