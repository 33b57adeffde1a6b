/**
 * Judges a run, and describes it in Markdown.
 *
 * @module
 */

import { version } from "../../../src/core/version.ts";
import { days, median, type MemorySample, type MonthResult } from "./month.ts";
import { type Problem, type Rule, rules } from "./ledger.ts";
import { type DatabaseKind, databaseKinds } from "./databases.ts";
import { fates } from "./platform.ts";

/** A run with its settings. */
export interface Run {
  readonly store: DatabaseKind;
  readonly people: number;
  readonly seed: number;
  readonly speed: number;
  /** In real milliseconds. */
  readonly duration: number;
  readonly result: MonthResult;
}

/** The memory of the second and of the last quarter, in bytes. */
interface Growth {
  readonly second: number;
  readonly last: number;
}

/** The growth that garbage, caches and compiled code explain: a share, and bytes. */
const tolerances = {
  heap: { share: 1.1, bytes: 2e6 },
  rss: { share: 1.15, bytes: 20e6 },
} as const;

/** The records of a person: a session, a token, and the list of the sessions. */
const keysOfPerson = 3;

/** Returns everything that was wrong. */
export function problemsOf({ people, result }: Run): readonly Problem[] {
  const { ledger, memory, keys } = result;
  const problems = [...ledger.problems];
  for (const [name, { share, bytes }] of Object.entries(tolerances)) {
    const { second, last } = growthOf(memory, name as keyof typeof tolerances);
    if (last > second * share + bytes) {
      const message = `${name} grew from ${megabytes(second)} to ${megabytes(last)}`;
      problems.push({ rule: "memory", message });
    }
  }
  // A login that was cut off leaves records, which end by themselves.
  const most = people * keysOfPerson + ledger.countOf(startedAgain) * keysOfPerson;
  const total = Object.values(keys).reduce((sum, count) => sum + count, 0);
  if (total > most) problems.push({ rule: "memory", message: `the store had ${total} keys` });
  if (ledger.countOf("refresh tokens sent") < people) {
    problems.push({ rule: "answers", message: "too few tokens were refreshed to prove anything" });
  }
  return problems;
}

const startedAgain = "logins begun again after an error";

/** Describes a run in Markdown. */
export function describeRun(run: Run): string {
  const { store, people, seed, speed, duration, result } = run;
  const { ledger, memory, keys, loggedIn, standstill, database } = result;
  const problems = problemsOf(run);
  const broken = Object.entries(rules).map(([rule, text]) => [
    text,
    problems.filter((problem) => problem.rule === rule as Rule).length,
  ]);
  const heap = growthOf(memory, "heap");
  const rss = growthOf(memory, "rss");
  const all = Object.values(keys).reduce((sum, count) => sum + count, 0);
  const measured = [
    ["Heap of the first process after a garbage collection", ...bothOf(heap)],
    ["Memory of the first process (RSS)", ...bothOf(rss)],
  ];
  const counts = [...ledger.counts].sort(([a], [b]) => a < b ? -1 : 1);
  const isRefresh = (name: string) => /^refresh tokens|^second tries|^new logins/.test(name);
  const isOther = (name: string) => !isRefresh(name) && !name.startsWith(fatePrefix);
  const fateRows = Object.keys(fates).map((fate) => [fate, ledger.countOf(fatePrefix + fate)]);
  return `Measured on ${
    new Date().toISOString().slice(0, 10)
  } by \`deno task --cwd scripts/lab soak --store ${store} --people ${people} --seed ${seed} --speed ${speed}\`: ${people}
people, ${days} simulated days at ${speed} times the real speed, in ${
    minutes(duration)
  }; @guildpass/sdk ${version}, Deno
${Deno.version.deno}, V8 ${Deno.version.v8}, ${database}, ${navigator.hardwareConcurrency} processors,
${Deno.build.os}.

${describeMonth(store)}

## Rules

${table(["Broken rule", "Times"], broken)}

## Memory

${table(["Measured", "Second quarter", "Last quarter"], measured)}

At the end, the store had ${all} keys for ${people} people, of whom ${loggedIn} were logged in: ${
    Object.entries(keys).map(([kind, count]) => `${count} \`${kind}\``).join(", ")
  }.
The longest standstill of a process was ${(standstill / 1000).toFixed(2)} real seconds.

## Refresh tokens

${table(["", "Times"], counts.filter(([name]) => isRefresh(name)))}

## Everything else

${table(["", "Times"], counts.filter(([name]) => isOther(name)))}

## Requests for tokens at the platform

${table(["Fate", "Times"], fateRows)}
`;
}

function describeMonth(store: DatabaseKind): string {
  const file = `src/stores/${databaseKinds[store].store}`;
  return `## The month

Two processes answer the requests of browsers with \`Login\`, over the store in
[\`${file}\`](../../../${file}). Half of the people have a token for each session. The others have
one for all their sessions (\`backgroundTokens\`), which a job also uses for four in ten of them. They log in during the first two
days, and come back a few minutes or 30 hours before each end of their token, or a few minutes after it, to both processes at the same moment. Some stay away for two weeks, some log out, and some
never come back. The second process is killed at random moments, also between sending a refresh token and saving the new one. The
clocks of both processes and of the platform differ by up to a minute, and change while requests are under way. The table at the
end shows the troubles at the platform. One operation of the store in twelve is slow, one in 150 takes seconds, and one in 200 fails.
The database pauses, and a proxy in front of it cuts all connections; SQLite is locked in place of both.

A refresh token may be sent again in two cases: the platform has not processed it, as after a 429; or the answer was lost, and the
old access token has ended, so that nothing more can be lost. If the lost answer had the only new token, the person has to log in
again. No library can repair this.

Time jumps only while no request is under way. In between it runs at the given speed, for timers too. The database runs in real time,
so the soak deletes the values whose end has passed in simulated time. A run shows neither the expiry of Redis and Deno KV itself, nor
databases that lose what they have saved. The seed decides the plan; the order of requests at the same moment also depends on the
machine.`;
}

const fatePrefix = "platform: ";

/** Returns the medians of two quarters of the month. */
function growthOf(samples: readonly MemorySample[], name: "heap" | "rss"): Growth {
  const quarter = (number: number) =>
    median(
      samples.filter(({ day }) => Math.ceil(day / (days / 4)) === number).map((one) => one[name]),
    );
  return { second: quarter(2), last: quarter(4) };
}

function bothOf({ second, last }: Growth): readonly string[] {
  return [megabytes(second), megabytes(last)];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function minutes(milliseconds: number): string {
  return `${(milliseconds / 60_000).toFixed(1)} minutes`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
