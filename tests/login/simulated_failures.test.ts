import * as fc from "fast-check";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { generateState } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import { CookieJar } from "../../src/testing/mod.ts";
import {
  clientSecret,
  FailingPlatform,
  failingStore,
  pauseMsOfUnusedCode,
  platform,
  platformText,
  type RequestOutcome,
  requestOutcomes,
  type StoreOutcome,
  storeOutcomes,
} from "../support/simulated_failures.ts";
import { pause } from "../support/model_platform.ts";
import { settled, watchCrypto } from "../support/virtual_time.ts";
import { SITE } from "./test_app.ts";

/** The runs are the same every time. `SIMULATIONS=2000` makes more and random ones, which find rarer mistakes in minutes. */
const wanted = process.env["SIMULATIONS"];
const settings = wanted === undefined ? { numRuns: 40, seed: 1 } : { numRuns: Number(wanted) };
const longest = 60_000 + settings.numRuns * 2000;

interface Scenario {
  /** The outcomes of the first requests for a token and for a user. Later requests work. */
  readonly tokenOutcomes: readonly RequestOutcome[];
  readonly userOutcomes: readonly RequestOutcome[];
  /** The outcomes of the first operations of the store, or `null` for a login without a store. */
  readonly store: readonly StoreOutcome[] | null;
  /** The times of the requests with the same callback, in milliseconds. */
  readonly visits: readonly number[];
  /** True if the requests ask for JSON. */
  readonly wantsJson: boolean;
  /** True if the person opens the callback again before the time that the page tells. */
  readonly isImpatient: boolean;
}

/** A response of the application, read to its end. */
interface PageRead {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Returns all faults in an application of two servers with one browser as visitor. */
async function problemsOf(scenario: Scenario): Promise<string[]> {
  const problems: string[] = [];
  const logged: string[] = [];
  vi.spyOn(console, "error").mockImplementation((...given: unknown[]) => {
    logged.push(...given.map((value) => `${Object(value).stack} ${JSON.stringify(value)}`));
  });
  const world = new FailingPlatform(scenario.tokenOutcomes, scenario.userOutcomes);
  const kept = scenario.store && failingStore(scenario.store);
  const secret = generateState();
  const options = {
    clientId: "1000000000000000001",
    clientSecret,
    scope: ["identify"],
    secret,
    platform,
    fetch: world.fetch,
    store: kept?.store,
  } as const;
  const servers = [new Login(options), new Login(options)] as const;
  let visits = 0;
  // Without a store, servers know nothing of each other.
  const server = () => servers[kept && visits++ % 2 ? 1 : 0];
  const jar = new CookieJar();
  const secrets = () => [clientSecret, secret, ...world.secrets].filter((text) => text !== "");

  const open = async (path: string, init?: RequestInit): Promise<PageRead> => {
    const url = new URL(path, SITE);
    const response = await server().handle(jar.request(url, init));
    if (!response) throw new Error("There is no such route");
    jar.store(response, url);
    const { status, headers } = response;
    const body = await response.text();
    const shown = `${body} ${JSON.stringify([...headers])}`;
    const leaks = [platformText, ...secrets()].filter((canary) => shown.includes(canary));
    problems.push(...leaks.map((canary) => `a response shows ${canary}`));
    if (/\.[jt]s:\d|node_modules|Error:/.test(body)) {
      problems.push("a response shows a stack trace");
    }
    const isPage = /<h1>|"message":/.test(body) && status >= 400;
    if (status !== 302 && status !== 303 && !isPage) {
      problems.push(`a response is a bare ${status}`);
    }
    return { status, headers, body };
  };
  const isLogin = ({ headers }: PageRead) => headers.get("location") === `${SITE}/`;
  const begin = async (person: string): Promise<string> => {
    const link = (await settled(open("/login"))).headers.get("location") ?? "";
    return `/callback?${world.consent(link, person)}`;
  };
  const personOf = async (request: Request): Promise<unknown> =>
    (await settled(server().session(request)))?.user.id;

  // A first login begins without the store, so this works.
  const callback = await begin("42");
  const code = new URL(callback, SITE).searchParams.get("code") ?? "";
  const headers = { accept: scenario.wantsJson ? "application/json" : "text/html" };
  // In the order in which they come.
  const responses: PageRead[] = [];
  await settled(Promise.all(scenario.visits.map(async (at) => {
    await pause(at);
    responses.push(await open(callback, { headers }));
  })));

  world.isHealthy = true;
  if (kept) kept.state.isHealthy = true;
  const last = responses.at(-1);
  if (last && !responses.some(isLogin)) {
    const wait = Number(last.headers.get("retry-after") ?? "0") * 1000;
    const isInTime = wait < 500_000;
    const waitFor = isInTime ? wait + 20_000 : 0;
    if (!scenario.isImpatient) await vi.advanceTimersByTimeAsync(waitFor);
    let again = await settled(open(callback));
    if (scenario.isImpatient && !isLogin(again)) {
      await vi.advanceTimersByTimeAsync(waitFor);
      again = await settled(open(callback));
    }
    const isStoreWell = scenario.store?.every((outcome) => outcome === "none") ?? true;
    if (isStoreWell && isInTime && !isLogin(again)) {
      const isOffered = last.body.includes('<a href="">Try again</a>');
      if (isOffered) problems.push(`“Try again” led to ${again.status}`);
      if (world.delivered.has(code)) problems.push("a token was lost");
    }
    if (!isLogin(again)) {
      // For a minute at most after a 429, the process sends nothing.
      await vi.advanceTimersByTimeAsync(60_000);
      if (!isLogin(await settled(open(await begin("42"))))) problems.push("a new login failed");
    }
  }
  if (await personOf(jar.request(SITE)) !== "42") problems.push("the person is not logged in");

  // What the application has given up waiting for may be done now. It changes nothing for those who come later.
  const ended = [jar.request(SITE)];
  if (!isLogin(await settled(open(await begin("43"))))) problems.push("no other person can log in");
  ended.push(jar.request(SITE));
  await vi.advanceTimersByTimeAsync(60_000);
  if (await personOf(jar.request(SITE)) !== "43") problems.push("it is not who logged in last");
  await settled(open("/logout", { method: "POST" }));
  await vi.advanceTimersByTimeAsync(60_000);
  // What is only in cookies can't be ended.
  for (const request of [jar.request(SITE), ...(kept ? ended : [])]) {
    if (await personOf(request) !== undefined) problems.push("a session goes on after its end");
  }

  const sent = world.sent.filter((one) => one.code === code);
  sent.slice(1).forEach(({ at }, index) => {
    const { outcome, at: before } = sent[index] ?? {};
    const wait = pauseMsOfUnusedCode.get(outcome ?? "works");
    if (wait === undefined) problems.push(`the code was sent again after: ${outcome}`);
    else if (at < Number(before) + wait) {
      problems.push(`the code was sent too early after: ${outcome}`);
    }
  });
  const written = [...kept?.saved ?? [], ...logged].join();
  const leaks = secrets().filter((canary) => written.includes(canary));
  problems.push(...leaks.map((canary) => `the store or the log has ${canary}`));
  return problems;
}

describe("While the platform and the store fail at random,", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "performance"] });
    watchCrypto();
    process.on("unhandledRejection", note);
  });
  afterEach(() => {
    process.off("unhandledRejection", note);
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test(
    "a callback ends in a login or a page, no code is sent twice, no token is lost, and no person is logged in as another one",
    async () => {
      const requestOutcome = fc.constantFrom<RequestOutcome>(...requestOutcomes);
      const storeOutcome = fc.oneof(
        { weight: 3, arbitrary: fc.constant<StoreOutcome>("none") },
        { weight: 2, arbitrary: fc.constantFrom<StoreOutcome>(...storeOutcomes) },
      );
      const scenario: fc.Arbitrary<Scenario> = fc.record({
        tokenOutcomes: fc.array(requestOutcome, { maxLength: 4 }),
        userOutcomes: fc.array(requestOutcome, { maxLength: 4 }),
        store: fc.oneof(
          fc.constant(null),
          fc.constant([]),
          fc.array(storeOutcome, { maxLength: 20 }),
        ),
        visits: fc.array(fc.oneof(fc.nat(200), fc.nat(20_000)), { minLength: 1, maxLength: 4 }),
        wantsJson: fc.boolean(),
        isImpatient: fc.boolean(),
      });
      const law = fc.asyncProperty(scenario, async (given) => {
        expect(await problemsOf(given)).toEqual([]);
        vi.clearAllTimers();
      });
      await fc.assert(law, settings);
      expect(unhandled).toEqual([]);
    },
    longest,
  );
});
