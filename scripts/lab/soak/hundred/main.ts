/**
 * Simulates a hundred processes that refresh tokens at once, with the real `TokenSource` and `PlatformApi` in virtual time, on a model
 * of the platform's limits, and many logins of one person at once. Fails if a goal is not met.
 *
 * ```sh
 * deno task --cwd scripts/lab soak:hundred
 * ```
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { version } from "../../../../src/core/version.ts";
import { run as runProgram } from "../../../command.ts";
import { countRecords, type LoginsResult, type RecordsResult, runLogins } from "./logins.ts";
import { runFullHour, runHerd, runOutage, runQuietDay, type ScenarioResult } from "./scenarios.ts";

/** A measured figure beside its goal. */
interface Row {
  readonly what: string;
  readonly value: number;
  readonly most: number;
}

const help = `Usage: deno task --cwd scripts/lab soak:hundred [--seed 1] [--keep]

--seed  decides delays and the order of people
--keep  writes the result to scripts/lab/soak/hundred/RESULTS.md`;

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      seed: { type: "string", default: "1" },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const seed = Number(values.seed);
  if (values.help || !(seed >= 0)) {
    console.error(help);
    return values.help ? 0 : 2;
  }
  const begin = performance.now();
  const quiet = await runQuietDay(seed);
  console.error("The quiet day is over");
  const herds = [[100, 20], [5, 1], [1, 20]] as const;
  const herdResults = new Map<string, ScenarioResult>();
  for (const [processes, callers] of herds) {
    const name = `${processes} × ${callers}`;
    herdResults.set(name, await runHerd(processes, callers, seed));
    console.error(`The herd of ${name} callers is served`);
  }
  const fullHour = await runFullHour(seed);
  console.error("The full hours are over");
  const { result: outage, calls } = await runOutage(seed);
  console.error("The outage is over");
  const logins = await runLogins(100, 200, seed);
  const records = await countRecords(500, seed);
  const minutes = (performance.now() - begin) / 60_000;

  const results = [quiet, ...herdResults.values(), fullHour, outage];
  const refused = results.reduce((sum, result) => sum + result.refused, 0);
  const herd = herdResults.get("100 × 20") ?? quiet;
  const oneProcess = herdResults.get("1 × 20") ?? quiet;
  const rows: Row[] = [
    { what: "Herd: 429s in any ten minutes", value: herd.mostLimited, most: 1000 },
    { what: "Herd of one process: seconds", value: Math.ceil(oneProcess.duration), most: 150 },
    { what: "Full hour: 429s in any ten minutes", value: fullHour.mostLimited, most: 300 },
    { what: "Outage: seconds until a call fails (p95)", value: calls.failedMs[1] / 1000, most: 2 },
    { what: "Outage: reads of the store for a call", value: calls.loads, most: 1.5 },
    {
      what: "Quiet day: reads for a refresh",
      value: quiet.loads / quiet.refreshed,
      most: 1,
    },
    { what: "Quiet day: saves for a refresh", value: quiet.saves / quiet.refreshed, most: 2 },
    { what: "Refresh tokens that were sent twice, in all of them", value: refused, most: 0 },
    { what: "200 logins of one person at once: failed", value: logins.failed, most: 0 },
    { what: "The same: ended before their cookie", value: logins.withoutSession, most: 0 },
    {
      what: "Records of a person, 15 minutes after 500 logins",
      value: records.later,
      most: 101,
    },
  ];
  const text = describe({
    seed,
    minutes,
    rows,
    herds: herdResults,
    fullHour,
    outage,
    calls,
    logins,
    records,
  });
  console.log(text);
  if (values.keep) await keep(text);
  const missed = rows.filter(({ value, most }) => value > most);
  for (const { what, value, most } of missed) {
    console.error(`FAILED: ${what}: ${value}, at most ${most}`);
  }
  return missed.length === 0 ? 0 : 1;
}

function describe({ seed, minutes, rows, herds, fullHour, outage, calls, logins, records }: {
  readonly seed: number;
  readonly minutes: number;
  readonly rows: readonly Row[];
  readonly herds: ReadonlyMap<string, ScenarioResult>;
  readonly fullHour: ScenarioResult;
  readonly outage: ScenarioResult;
  readonly calls: Awaited<ReturnType<typeof runOutage>>["calls"];
  readonly logins: LoginsResult;
  readonly records: RecordsResult;
}): string {
  const { deno, v8 } = Deno.version;
  const [median, p95, max] = calls.failedMs.map((ms) => (ms / 1000).toFixed(2));
  const herdRows = [...herds].map(([name, result]) =>
    `| ${name} | ${result.requests} | ${result.limited} | ${
      result.duration.toFixed(0)
    } s | ${result.mostSaves} |`
  );
  return `Measured on ${new Date().toISOString().slice(0, 10)} by
\`deno task --cwd scripts/lab soak:hundred --seed ${seed}\` in ${minutes.toFixed(1)} minutes;
@guildpass/sdk ${version}, Deno ${deno}, V8 ${v8}, ${Deno.build.os}. The limits of the platform are a model, and so are its delays: 80 to 160 ms
for a response, 0.5 to 1.5 s in the outage, 3 to 8 ms for the store. The rest is the library as it is, in virtual time. Each process has its own
knowledge of limits, and all share one store.

## Goals

| Measured | Result | At most |
| --- | --- | --- |
${rows.map(({ what, value, most }) => `| ${what} | ${round(value)} | ${most} |`).join("\n")}

## Herd

2,000 tokens have ended, and the platform allows 20 requests a second. Jobs ask for all of them at once, and wait as the errors say.
At this limit, it takes 100 s at least.

| Processes × callers | Requests | 429 | Takes | Most saves for one person |
| --- | --- | --- | --- | --- |
${herdRows.join("\n")}

## Full hour

100,000 people logged in within the same hour. At two full hours of the last quarter of their tokens' lifetime, a job in each of 100 processes
goes through its share with 20 callers. The platform allows 50 requests a second: ${fullHour.requests} requests, ${fullHour.limited} times 429,
${fullHour.refreshed} tokens refreshed. The job uses the old tokens of the others, which work for days.

## Outage

An hour of 503. The tokens of 20,000 people end within 75 minutes, and 20 visits a second each ask three of 100 processes. In the second half hour,
${calls.failed} of ${calls.calls} calls failed: after ${median} s (median), ${p95} s (p95), ${max} s (maximum). In 80 minutes, the platform got
${outage.requests} requests, and refreshed ${outage.refreshed} tokens.

## Logins of one person

The callbacks of 200 logins of one person reach 100 processes at once, over a store whose operations take 8 to 12 ms. The last of them ends after
${
    (logins.lastMs / 1000).toFixed(1)
  } s, and all together need ${logins.operations} operations of the store. Each gets its cookie, and the last 50 sessions stay.

After 500 logins in a row, a person has ${records.afterwards} records. The records of the codes, which keep a repeated callback from sending its code
again, end within twelve minutes: then there are ${records.later}, a session and a token for each of 50 sessions, and their list.
`;
}

function round(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

async function keep(text: string): Promise<void> {
  const results = new URL("RESULTS.md", import.meta.url);
  await Deno.writeTextFile(results, `# A hundred processes\n\n${text}`);
  await runProgram([Deno.execPath(), "fmt", "--quiet", fileURLToPath(results)]);
}
