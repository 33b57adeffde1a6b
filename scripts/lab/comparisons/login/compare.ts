/**
 * Runs the same mishaps and attacks against logins with several libraries, and prints the date and the verdicts as JSON.
 * It runs in Node, for which the libraries are made.
 *
 * @module
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { startRedis } from "../../../../tests/integration/stores/support/databases.ts";
import { type Column, columns } from "./columns.ts";
import type { Contender } from "./contender.ts";
import { servePlatforms } from "./platform.ts";
import { startProcess } from "./process.ts";
import { rows } from "./rows.ts";
import type { Results } from "./tables.ts";

// The logs of the applications must not appear in the results.
console.log = console.error = console.warn = () => {};
// Otherwise, an application that throws outside of a request ends the comparison.
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => {});
try {
  const { date, verdicts } = await tryMishaps();
  process.stdout.write(JSON.stringify({ date, verdicts: [...verdicts] }));
} catch (error) {
  // Next.js would keep the process alive.
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
// Some applications are still waiting for the platform.
process.exit();

/** Tries every row with every application, and shows each row as soon as it is known. */
async function tryMishaps(): Promise<Results> {
  await using opened = new AsyncDisposableStack();
  const redis = opened.use(await startRedis());
  const folder = mkdtempSync(join(tmpdir(), "guildpass-compare-"));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const shared = { redisUrl: redis.url, file: join(folder, "database.sqlite") };
  const platforms = await servePlatforms();
  const contenders = await Promise.all(columns.map(contenderOf));

  const verdicts = new Map<string, readonly string[]>();
  for (const row of rows) {
    const rowVerdicts: string[] = [];
    for (const contender of contenders) {
      const { createApp, createSharedApp, isAlwaysShared } = contender;
      const verdict = await row.run({
        contender,
        app: await (isAlwaysShared && createSharedApp ? createSharedApp(shared) : createApp()),
        fake: platforms.begin(contender.callback),
        startProcess: () =>
          startProcess({ contender: contender.module, shared, platform: platforms.server }),
      });
      rowVerdicts.push(verdict);
    }
    verdicts.set(row.name, rowVerdicts);
    process.stderr.write(`${row.name}\n  ${rowVerdicts.join(" | ")}\n`);
  }
  return {
    date: new Date().toISOString().slice(0, 10),
    verdicts,
  };
}

async function contenderOf({ module }: Column): Promise<Contender & Pick<Column, "module">> {
  const { contender } = await import(`./contenders/${module}.ts`);
  return { ...contender, module };
}
