/**
 * Two processes log people in, and use their tokens at the same moments for simulated weeks: in sessions, and in a background
 * job. The processes and Redis are real.
 *
 * @module
 */

import { afterAll, expect, test } from "vitest";
import { generateState } from "../../../mod.ts";
import { CookieJar } from "../../../src/testing/mod.ts";
import { startLineProcess } from "../../support/line_process.ts";
import { startRedis } from "./support/databases.ts";
import type { JobAnswer, JobCommand, JobSettings } from "./support/jobs.ts";
import { servePlatform } from "./support/served_platform.ts";

const database = await startRedis();
afterAll(() => database[Symbol.asyncDispose]());

const program = new URL("support/jobs.ts", import.meta.url);
const site = "http://localhost:3000/";
const day = 86_400_000;
const ids = { ada: "1000000000000000001", grace: "1000000000000000002" } as const;
type Name = keyof typeof ids;

test("a job and the sessions of the same people share a token for weeks, in two processes, and all people stay logged in", async () => {
  await using platform = await servePlatform();
  const { fake, origin: platformOrigin, refreshes } = platform;
  const secret = generateState();
  const settings: JobSettings = { redisUrl: database.url, platformOrigin, secret };
  const start = () => startLineProcess<JobCommand, JobAnswer>(program, settings);
  await using first = await start();
  await using second = await start();
  const processes = [first, second] as const;
  const callBoth = (command: JobCommand) => Promise.all(processes.map((one) => one.call(command)));

  let ahead = 0;
  const passDays = async (days: number): Promise<void> => {
    ahead += days * day;
    fake.advance(days * day);
    await callBoth({ kind: "set clock", ahead });
  };
  /** Logs a person in. The process that begins the login does not finish it. */
  const logIn = async (name: Name, scope: readonly "connections"[] = []): Promise<CookieJar> => {
    const jar = new CookieJar();
    const { location, setCookies } = await first.call({ kind: "start", scope });
    jar.store(responseWith(setCookies), site);
    const callback = await fake.authorize(location ?? "", { as: name });
    const { cookie } = headersOf(jar);
    const finished = await second.call({ kind: "finish", callback, cookie });
    expect(finished.results).toEqual([name]);
    jar.store(responseWith(finished.setCookies), site);
    return jar;
  };
  const runJob = async (names: readonly Name[]): Promise<void> => {
    const userIds = names.map((name) => ids[name]);
    const responses = await callBoth({ kind: "run job", userIds, times: 5 });
    for (const { results } of responses) expect(new Set(results)).toEqual(new Set(names));
  };

  let jars = [await logIn("ada", ["connections"]), await logIn("grace")];
  for (let week = 0; week < 6; week++) {
    // Both processes need new tokens at the same moment.
    await passDays(7.1);
    await runJob(["ada", "grace"]);
    const views = await Promise.all(
      jars.map((jar, index) =>
        processes[index % 2 ? 0 : 1].call({ kind: "view", cookie: headersOf(jar).cookie })
      ),
    );
    expect(views.map(({ results }) => results[0])).toEqual(["ada", "grace"]);
    if (week === 1) jars = [await logIn("ada"), await logIn("grace", ["connections"])];
    if (week === 3) {
      // The event about the removal comes after the next login.
      const startedBefore = Date.now() + ahead;
      await fake.removeApplication({ as: "ada" });
      jars = [await logIn("ada"), jars[1] ?? new CookieJar()];
      await first.call({ kind: "end all", userId: ids.ada, startedBefore });
    }
  }
  // Each refresh token was sent once: one of each person in each week, and the one of the removed application at the login after that.
  expect(new Set(refreshes.map(({ token }) => token)).size).toBe(refreshes.length);
  expect(refreshes).toHaveLength(2 * 6 + 1);

  await second.call({ kind: "end all", userId: ids.ada, startedBefore: Date.now() + ahead + day });
  const [{ results } = { results: [] }] = await callBoth({
    kind: "run job",
    userIds: [ids.ada, ids.grace],
    times: 1,
  });
  expect(results).toEqual(["LoginRequiredError: no_token", "grace"]);
});

function responseWith(setCookies: readonly string[]): Response {
  return new Response(null, {
    headers: setCookies.map((cookie): [string, string] => ["set-cookie", cookie]),
  });
}

function headersOf(jar: CookieJar): { readonly cookie: string } {
  return { cookie: jar.header };
}
