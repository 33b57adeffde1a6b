/**
 * Runs examples/background_jobs on each database, in real processes: people log in at two web processes, and a job uses their tokens in
 * a third one.
 *
 * @module
 */

import { describe, expect, test } from "vitest";
import type { FakeBrowser } from "../../../src/testing/mod.ts";
import { type Application, openApplication, site } from "./support/application.ts";
import { openSqlite, startMariaDb, startPostgres, startRedis } from "./support/databases.ts";
import { servePlatform } from "./support/served_platform.ts";

const users = ["ada", "grace", "linus"].map((username, i) => ({ id: `${i + 1}`, username }));
const guilds = users.map((_, i) => ({
  id: `${i + 11}`,
  name: `Guild ${i}`,
  // Ada is in three guilds, Grace in two, and Linus in one.
  members: Object.fromEntries(users.slice(0, 3 - i).map(({ id }) => [id, {}])),
}));

describe.concurrent.each([
  { name: "Redis", start: startRedis, removesExpired: false },
  { name: "Postgres", start: startPostgres, removesExpired: true },
  { name: "MariaDB", start: startMariaDb, removesExpired: true },
  { name: "SQLite", start: openSqlite, removesExpired: true },
])("Two web processes and a nightly job on $name", ({ start, removesExpired }) => {
  test("share sessions and tokens for weeks, refresh each token once, and survive an outage", async ({ expect }) => {
    await using database = await start();
    await using platform = await servePlatform({ users, guilds });
    const { fake, refreshes } = platform;
    await using app = await openApplication(database.url, platform);
    expect(await app.run("create_tables.ts")).toEqual({ code: 0, printed: "" });
    await Promise.all([app.startWeb(0), app.startWeb(1)]);

    const open = (as: string) => fake.browser((request) => app.fetch(request), { as });
    const browsers = { ada: open("ada"), grace: open("grace"), linus: open("linus") };
    const all = Object.values(browsers);
    for (const [as, browser] of Object.entries(browsers)) {
      // The process that sends a person to the consent page does not get their callback.
      expect(await (await browser.open(`${site}/`)).text()).toContain(`Hello, ${as}`);
      for (const index of [0, 1]) {
        expect(await view(app, browser, index)).toContain("Servers last night: not counted yet");
      }
    }

    const counted = "Counted the servers of 3 people";
    expect(await runJob(app)).toContain(counted);
    for (const index of [0, 1]) {
      expect(await view(app, browsers.ada, index)).toContain("Servers last night: 3");
      expect(await view(app, browsers.linus, index)).toContain("Servers last night: 1");
    }
    expect(refreshes).toHaveLength(0);

    // In the last quarter of the tokens' lifetime, both processes and the job need new ones at the same moment. Each process leaves a
    // gap between its first refreshes while the old tokens work, so that some come in a later round.
    await app.passDays(6.1);
    for (let round = 0; round < 30 && refreshes.length < 3; round++) {
      expect(await runBeside(app, all)).toContain(counted);
    }
    await expect.poll(() => refreshes).toHaveLength(3);

    // A process that ends without a word loses nothing that the others need.
    await app.endWeb(1, "SIGKILL");
    await app.passDays(3);
    for (const browser of all) expect(await view(app, browser, 0)).toContain("Hello, ");
    await app.startWeb(1);
    for (const browser of all) expect(await view(app, browser, 1)).toContain("Hello, ");

    // After the end of the tokens.
    await app.passDays(4.5);
    expect(await runBeside(app, all)).toContain(counted);
    await expect.poll(() => refreshes).toHaveLength(6);

    const stopOutage = fake.failNext({ path: "/users/@me/guilds", status: 503, times: 1000 });
    const stopped = await app.run("nightly.ts");
    expect(stopped.code).toBe(1);
    expect(stopped.printed).toContain("Stopped after 0 of 3 people");
    stopOutage();
    for (const browser of all) expect(await view(app, browser, 0)).toContain("Hello, ");
    expect(await runJob(app)).toContain(counted);

    const second = fake.browser((request) => app.fetch(request), { as: "grace" });
    await second.open(`${site}/`);
    expect(await (await second.open("/logout/everywhere", { method: "POST" })).text())
      .toBe("You are logged out");
    for (const index of [0, 1]) expect(await view(app, browsers.grace, index)).toBe("logged out");

    const event = await fake.sendWebhookEvent(
      (request) => app.fetch(new Request(`${site}/webhook-events`, request)),
      "APPLICATION_DEAUTHORIZED",
      { as: "linus" },
    );
    expect(event.status).toBe(204);
    for (const index of [0, 1]) expect(await view(app, browsers.linus, index)).toBe("logged out");

    const last = await runJob(app);
    expect(last).toContain("Counted the servers of 1 people");
    expect(Number(/Removed (\d+) expired rows/.exec(last)?.[1]) > 0).toBe(removesExpired);
    expect(await view(app, browsers.ada, 0)).toContain("Servers last night: 3");
    expect(new Set(refreshes.map(({ token }) => token)).size).toBe(refreshes.length);
    expect(await Promise.all([0, 1].map((index) => app.endWeb(index, "SIGTERM")))).toEqual([0, 0]);
  });
});

test.concurrent("The nightly job ends after a slow refresh has been saved, so that no token is lost", async () => {
  await using database = await openSqlite();
  await using platform = await servePlatform({ users, guilds });
  const { fake, refreshes } = platform;
  await using app = await openApplication(database.url, platform);
  await app.run("create_tables.ts");
  await Promise.all([app.startWeb(0), app.startWeb(1)]);
  await fake.browser((request) => app.fetch(request), { as: "ada" }).open(`${site}/`);

  await app.passDays(6.5);
  // A call with the usual time limit would use the old token after five seconds.
  fake.failNext({ path: "/oauth2/token", delay: 7000 });
  expect(await runJob(app)).toContain("Counted the servers of 1 people");
  await app.passDays(1);
  expect(await runJob(app)).toContain("Counted the servers of 1 people");
  expect(refreshes).toHaveLength(1);
});

/** Opens the start page at one process, with the session of a browser. */
async function view(app: Application, browser: FakeBrowser, index: number): Promise<string> {
  const response = await app.fetch(browser.jarOf(site).request(`${site}/`), index);
  const text = await response.text();
  return response.status === 200 ? text : "logged out";
}

/** Runs the nightly job, which must succeed. Returns what it prints. */
async function runJob(app: Application): Promise<string> {
  const { code, printed } = await app.run("nightly.ts");
  expect(code, printed).toBe(0);
  return printed;
}

/** Reads the guilds of people at both processes. */
async function readGuilds(app: Application, browsers: readonly FakeBrowser[]): Promise<void> {
  const responses = await Promise.all(
    browsers.flatMap((browser) =>
      [0, 1].map((index) => app.fetch(browser.jarOf(site).request(`${site}/servers`), index))
    ),
  );
  for (const response of responses) {
    const text = await response.text();
    // On a busy machine, a statement may reach its time limit of five seconds.
    if (response.status === 500) expect(app.printed()).toMatch(/time-?out|timed out/i);
    else expect(text, app.printed()).toContain("<li>Guild 0</li>");
  }
}

/** Runs the nightly job while people read their guilds at both processes. */
async function runBeside(app: Application, browsers: readonly FakeBrowser[]): Promise<string> {
  const job = runJob(app);
  let isOver = false;
  job.finally(() => isOver = true).catch(() => {});
  do {
    await readGuilds(app, browsers);
  } while (!isOver);
  return await job;
}
