import { describe, expect, test } from "vitest";
import { day, minute, second } from "../../scripts/lab/soak/clock.ts";
import { type Grant, Ledger, type Sending, tokenLifetime } from "../../scripts/lab/soak/ledger.ts";
import { Random } from "../../scripts/lab/soak/random.ts";

const start = 1_800_000_000_000;
const end = start + tokenLifetime;
const ada = "ada";

/** A ledger with a token of Ada. Its refresh token was sent once. */
function ledgerAfter(first: Partial<Sending>): { ledger: Ledger; grant: Grant; sending: Sending } {
  const ledger = new Ledger();
  const grant: Grant = { person: ada, isLost: false, lastDone: null, refusedAt: end };
  ledger.issue(grant, { access_token: "access 1", refresh_token: "refresh 1" }, start);
  const sending = sendingAt(end - 5 * minute, first);
  ledger.sendRefreshToken("refresh 1", sending);
  if (sending.result === "done") grant.lastDone = sending;
  return { ledger, grant, sending };
}

function sendingAt(at: number, sending: Partial<Sending> = {}): Sending {
  const by = { name: "first.1", killedAt: null };
  const delivered = { result: "done", endedAt: at, isDelivered: true } as const;
  return { id: 1, at, by, fate: "works", ...delivered, ...sending };
}

function rulesBroken({ problems }: Ledger): string[] {
  return problems.map(({ rule }) => rule);
}

/** The numbers of the read responses. */
const all = new Set([1]);

const lost = { isDelivered: false };

describe("A soak fails if a refresh token is sent again", () => {
  test.each<[string, Partial<Sending>, number]>([
    ["after its response has arrived", {}, end + minute],
    ["after the platform has refused it for good", { result: "refused" }, end + minute],
    ["while the old access token works", lost, end - 3 * minute],
    [
      "while the first request is under way",
      { ...lost, at: end - 30 * second, endedAt: null },
      end - 25 * second,
    ],
    [
      "while the lease of its sender lasts, who was killed",
      {
        ...lost,
        at: end - 30 * second,
        endedAt: end - 29 * second,
        by: { name: "second.1", killedAt: end - 29 * second },
      },
      end - 20 * second,
    ],
    [
      "long after its sender had the time to save the new one, and was killed then",
      { by: { name: "second.1", killedAt: end - 4 * minute } },
      end + minute,
    ],
  ])("%s", (_when, first, at) => {
    const { ledger } = ledgerAfter(first);
    ledger.sendRefreshToken("refresh 1", sendingAt(at));
    ledger.judge([], all);
    expect(rulesBroken(ledger)).toEqual(["tokens"]);
  });
});

describe("A soak counts a refresh token that is sent again", () => {
  test.each<[string, Partial<Sending>, number, string]>([
    [
      "after the end of the access token, as the response was lost",
      lost,
      end,
      "second tries after a lost answer, refused by the platform",
    ],
    [
      "after the end of the access token, as the request was lost",
      { ...lost, result: "none" },
      end,
      "second tries after a lost request, which gave new tokens",
    ],
    [
      "at once after the end of the access token, as the first request was cut",
      { ...lost, result: "none", at: end, endedAt: end + second },
      end + 2 * second,
      "second tries after a lost request, which gave new tokens",
    ],
    [
      "at once after the end of the access token, as the process that was killed then had got a 500",
      { ...lost, at: end, endedAt: end + 1, by: { name: "second.1", killedAt: end + 2 } },
      end + second,
      "second tries after a lost answer, refused by the platform",
    ],
    [
      "after a 429",
      { result: "not processed" },
      end - 4 * minute,
      "refresh tokens sent again after the platform had not processed them",
    ],
    [
      "after its sender was killed before it could save",
      { by: { name: "second.1", killedAt: end - 5 * minute + second } },
      end,
      "second tries after a lost answer, refused by the platform",
    ],
  ])("%s", (_when, first, at, name) => {
    const { ledger } = ledgerAfter(first);
    ledger.sendRefreshToken("refresh 1", sendingAt(at));
    ledger.judge([], all);
    expect(ledger.problems).toEqual([]);
    expect(ledger.countOf(name)).toBe(1);
  });

  test.each(["the store", "a standstill"] as const)("as %s held up the new token", (by) => {
    const { ledger } = ledgerAfter({});
    ledger.sendRefreshToken("refresh 1", sendingAt(end));
    ledger.judge([{ by, person: ada, at: end - second }], all);
    expect(ledger.problems).toEqual([]);
    expect(ledger.countOf(`refresh tokens sent again as ${by} held up the new one`)).toBe(1);
  });
});

test("A soak fails if the trouble of another person, or of long ago, held up a token", () => {
  const { ledger } = ledgerAfter({});
  ledger.sendRefreshToken("refresh 1", sendingAt(end));
  ledger.judge([
    { by: "the store", person: "grace", at: end - second },
    { by: "the store", person: ada, at: end - 2 * minute },
  ], all);
  expect(rulesBroken(ledger)).toEqual(["tokens"]);
});

test("A soak counts a response as lost if its process has not read it", () => {
  const { ledger } = ledgerAfter({});
  ledger.judge([], new Set());
  ledger.sendRefreshToken("refresh 1", sendingAt(end + day));
  ledger.judge([], all);
  expect(ledger.problems).toEqual([]);
});

test("A soak fails if a refresh token is sent long before its token ends", () => {
  const { ledger } = ledgerAfter({ at: end - 43 * 60 * minute });
  expect(rulesBroken(ledger)).toEqual(["tokens"]);
});

test("A soak fails if a process sends a refresh token that the platform has not issued", () => {
  const ledger = new Ledger();
  ledger.sendRefreshToken("refresh 1", sendingAt(start));
  expect(rulesBroken(ledger)).toEqual(["tokens"]);
});

describe("A soak fails if a code is sent again", () => {
  test.each([["done", ["codes"]], ["none", ["codes"]], ["not processed", []]] as const)(
    "after the result “%s”: %j",
    (result, broken) => {
      const ledger = new Ledger();
      ledger.sendCode("code", sendingAt(start, { result }));
      ledger.sendCode("code", sendingAt(start + minute));
      expect(rulesBroken(ledger)).toEqual(broken);
    },
  );
});

describe("A soak fails if a person has to log in again", () => {
  test.each<[string, Partial<Sending>, string, string[]]>([
    ["although the new token has arrived", {}, "refused", ["logouts"]],
    ["although the platform has done nothing", { result: "none" }, "refused", ["logouts"]],
    ["for another reason than a refusal", lost, "no_refresh_token", ["logouts"]],
    ["but not if the new token was lost", lost, "refused", []],
    ["but not if the refused token has left the store since", lost, "no_token", []],
  ])("%s", (_when, first, reason, broken) => {
    const { ledger } = ledgerAfter(first);
    ledger.requireLogin(ada, reason, end + day, end + day);
    ledger.requireLogin(ada, reason, end + day, end + day);
    ledger.judge([], all);
    expect(rulesBroken(ledger)).toEqual(broken);
  });
});

test("A soak fails if a person has to log in again while the old access token works", () => {
  const { ledger } = ledgerAfter(lost);
  ledger.requireLogin(ada, "refused", end - 3 * minute, end - 3 * minute, end);
  expect(rulesBroken(ledger)).toEqual(["logouts"]);
});

test("A soak fails if a refused token has left the store too early", () => {
  const { ledger, grant } = ledgerAfter(lost);
  grant.refusedAt = end + day - minute;
  ledger.requireLogin(ada, "no_token", end + day, end + day);
  ledger.judge([], all);
  expect(rulesBroken(ledger)).toEqual(["logouts"]);
});

describe("A soak fails if a person has no session", () => {
  test.each([
    ["soon after a visit", day, ["logouts"]],
    ["although the last visit in which the store worked may have prolonged it", 17 * day, [
      "logouts",
    ]],
    ["but not if the store failed in every visit for long", 19 * day, []],
  ])("%s", (_when, time, broken) => {
    const ledger = new Ledger();
    ledger.noteVisit(ada, start);
    ledger.loseSession(ada, 20 * day, start + time);
    expect(rulesBroken(ledger)).toEqual(broken);
  });
});

test("A soak blames no new login for a request that began before it", () => {
  const { ledger } = ledgerAfter(lost);
  ledger.requireLogin(ada, "refused", end + day, end + day);
  const login: Grant = { person: ada, isLost: false, lastDone: null, refusedAt: null };
  const tokens = { access_token: "access 2", refresh_token: "refresh 2" };
  ledger.issue(login, tokens, end + day + second);
  ledger.requireLogin(ada, "refused", end + day, end + day + minute);
  ledger.judge([], all);
  expect(rulesBroken(ledger)).toEqual([]);
  ledger.requireLogin(ada, "refused", end + day + minute, end + day + minute);
  ledger.judge([], all);
  expect(rulesBroken(ledger)).toEqual(["logouts"]);
});

test("A seed decides the random numbers", () => {
  const numbers = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 1000 }, () => random.next());
  };
  expect(numbers(1)).toEqual(numbers(1));
  expect(numbers(1)).not.toEqual(numbers(2));
  expect(numbers(1).every((number) => number >= 0 && number < 1)).toBe(true);
});
