import * as fc from "fast-check";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Action,
  actions,
  type Fate,
  fates,
  type Scenario,
  Simulation,
} from "../support/token_simulation.ts";
import { tokenLifetimeMs } from "../support/model_platform.ts";

/** The same runs every time, unless more are asked for: `SIMULATIONS=10000` finds rarer mistakes, in minutes. */
const wanted = process.env["SIMULATIONS"];
const settings = wanted === undefined ? { numRuns: 300, seed: 1 } : { numRuns: Number(wanted) };
const longest = 120_000 + settings.numRuns * 100;

const never = 4 * tokenLifetimeMs;

/** Times at which much happens: around the refresh and the end of the first two tokens. */
const time = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: tokenLifetimeMs - 990_000, max: tokenLifetimeMs + 90_000 }),
  },
  {
    weight: 2,
    arbitrary: fc.integer({
      min: 2 * tokenLifetimeMs - 990_000,
      max: 2 * tokenLifetimeMs + 90_000,
    }),
  },
  { weight: 1, arbitrary: fc.nat(2 * tokenLifetimeMs) },
);

const action = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Action>("ask") },
  { weight: 4, arbitrary: fc.constantFrom<Action>(...actions) },
);

const fate = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>("works") },
  { weight: 6, arbitrary: fc.constantFrom<Fate>(...fates) },
);

const trouble = fc.record({
  operation: fc.nat(60),
  wait: fc.oneof(fc.constant(0), fc.nat(60_000)),
  failure: fc.constantFrom("none", "before", "after"),
});

const scenario: fc.Arbitrary<Scenario> = fc.record({
  fates: fc.array(fate, { maxLength: 6 }),
  actions: fc.array(fc.record({ at: time, process: fc.nat(2), action }), {
    minLength: 1,
    maxLength: 40,
  }),
  skews: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -30_000, max: 30_000 }))),
  removedAt: fc.oneof({ weight: 3, arbitrary: fc.constant(never) }, time),
  loginAt: fc.oneof({ weight: 3, arbitrary: fc.constant(never) }, time),
  seed: fc.nat(),
});

async function simulate(given: Scenario): Promise<Simulation> {
  vi.setSystemTime(1_800_000_000_000);
  const simulation = new Simulation(given);
  vi.spyOn(Math, "random").mockImplementation(() => simulation.random());
  await simulation.run((milliseconds) => vi.advanceTimersByTimeAsync(milliseconds));
  vi.clearAllTimers();
  return simulation;
}

describe("Callers in several processes, whose clocks differ by up to a minute,", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test(
    "get tokens that work, in 10 seconds and the time of a save, and send no refresh token twice, whatever is lost and whoever ends",
    async () => {
      const law = fc.asyncProperty(scenario, async (given) => {
        expect((await simulate(given)).problems).toEqual([]);
      });
      await fc.assert(law, settings);
    },
    longest,
  );

  test(
    "send no refresh token while it is pending, and lose none, although the store is slow and fails",
    async () => {
      const troubles = fc.array(trouble, { minLength: 1, maxLength: 8 });
      const law = fc.asyncProperty(scenario, troubles, async (given, storeTrouble) => {
        expect((await simulate({ ...given, storeTrouble })).problems).toEqual([]);
      });
      await fc.assert(law, settings);
    },
    longest,
  );

  describe.each([
    ["before the token ends", tokenLifetimeMs - 800_000],
    ["when the token has ended", tokenLifetimeMs + 40_000],
  ])("200 in two processes at once, %s,", (_when, at) => {
    /** Two crowds in each process. */
    const crowds = [0, 1].map((process) => ({ at, process, action: "crowd" as const }));
    const given = { actions: crowds, skews: [0, 60_000], removedAt: never, loginAt: never };

    test.each(fates)("refresh once, when the refresh is one of those: %s", async (fate) => {
      const until = at + 120_000;
      const { problems, sent, results } = await simulate({
        ...given,
        fates: [fate],
        seed: 1,
        until,
      });
      expect(problems).toEqual([]);
      expect(sent).toBeLessThanOrEqual(fate === "works" ? 1 : 2);
      const all = [...results.values()].reduce((sum, count) => sum + count);
      // Those who asked in a process that ended heard nothing.
      expect(all).toBeGreaterThan(fate.startsWith("process ends") ? 100 : 200);
      if (fate === "works") expect(results.get("token")).toBe(all);
    });
  });
});
