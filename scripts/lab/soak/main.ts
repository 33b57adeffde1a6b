/**
 * Runs an application of two processes on a real database and the fake platform for a simulated month, in which processes are killed,
 * answers get lost, the store is slow, and clocks differ. Fails if a refresh token was sent twice without need, if somebody was logged
 * out, or if memory grew.
 *
 * ```sh
 * deno task --cwd scripts/lab soak --people 200
 * ```
 *
 * It needs the server of the database, and installs it from Debian's packages if it is missing.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { run as runProgram } from "../../command.ts";
import { installPackages } from "../../debian_packages.ts";
import { type DatabaseKind, databaseKinds } from "./databases.ts";
import { runMonth } from "./month.ts";
import { describeRun, problemsOf } from "./report.ts";

/** The number of people for whom a process works longer than it waits. */
const manyPeople = 1000;

/** The most problems that are printed. */
const maxPrinted = 20;

const help =
  `Usage: deno task --cwd scripts/lab soak [--store redis] [--people 10000] [--seed 1] [--speed 4] [--keep]

--store   the database: ${Object.keys(databaseKinds).join(", ")}
--people  the number of people
--seed    decides who comes when, and what fails; without it, it is random
--speed   the simulated seconds in a real one: 4, or 8 for up to ${manyPeople} people; a busy machine needs fewer
--keep    writes the result to scripts/lab/soak/RESULTS.md`;

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      store: { type: "string", default: "redis" },
      people: { type: "string", default: "10000" },
      seed: { type: "string", default: String(crypto.getRandomValues(new Uint32Array(1))[0]) },
      speed: { type: "string" },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const people = Number(values.people);
  const seed = Number(values.seed);
  const speed = Number(values.speed ?? (people > manyPeople ? 4 : 8));
  const { store } = values;
  if (values.help || !isKind(store) || !(people >= 1 && seed >= 0 && speed > 0)) {
    console.error(help);
    return values.help ? 0 : 2;
  }
  installPackages(databaseKinds[store].packages);
  console.error(`${store}, ${people} people, seed ${seed}`);
  const begin = performance.now();
  const result = await runMonth({ store, people, seed, speed, onProgress: console.error });
  const run = { store, people, seed, speed, duration: performance.now() - begin, result };
  const text = describeRun(run);
  console.log(text);
  if (values.keep) await keep(text);
  const problems = problemsOf(run);
  if (problems.length === 0) return 0;
  console.error(`${problems.length} problems:`);
  for (const { message } of problems.slice(0, maxPrinted)) console.error(`- ${message}`);
  console.error(
    `Repeat it: deno task --cwd scripts/lab soak --store ${store} --people ${people} --seed ${seed} --speed ${speed}`,
  );
  return 1;
}

function isKind(store: string): store is DatabaseKind {
  return Object.hasOwn(databaseKinds, store);
}

async function keep(text: string): Promise<void> {
  const results = new URL("RESULTS.md", import.meta.url);
  await Deno.writeTextFile(results, `# Soak\n\n${text}`);
  await runProgram([Deno.execPath(), "fmt", "--quiet", fileURLToPath(results)]);
}
