/**
 * Runs the same mishaps and attacks against logins with several libraries, and prints the tables of
 * `docs/comparison.md`. It runs in Node, for which the libraries are made.
 *
 * @module
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import configuration from "../../../../deno.json" with { type: "json" };
import { startRedis } from "../../../../tests/integration/stores/support/databases.ts";
import { bundleSize } from "./bundle_size.ts";
import { type Column, columns, libraries } from "./columns.ts";
import type { Contender } from "./contender.ts";
import { guildpass, type Library } from "./libraries.ts";
import { servePlatforms } from "./platform.ts";
import { startProcess } from "./process.ts";
import { rows } from "./rows.ts";
import { libraryTable, mishapTable, type Package, type Results, summaryTable } from "./tables.ts";

/** The parts of a `package.json` that the tables have. */
interface Manifest {
  readonly version: string;
  readonly license: string;
}

// The logs of the applications must not appear in the tables.
console.log = console.error = console.warn = () => {};
// Otherwise, an application that throws outside of a request ends the comparison.
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => {});
try {
  const packages = await readPackages();
  const results = await tryMishaps();
  const tables = [summaryTable(results), libraryTable(packages), mishapTable(results)];
  process.stdout.write(tables.join("\n"));
} catch (error) {
  // Next.js would keep the process alive.
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
// Some applications are still waiting for the platform.
process.exit();

async function readPackages(): Promise<ReadonlyMap<Library, Package>> {
  const packages = new Map<Library, Package>();
  for (const library of libraries) {
    packages.set(library, { license: licenseOf(library), bytes: await bytesOf(library) });
  }
  return packages;
}

function licenseOf(library: Library): string {
  const [column] = columnsOf(library);
  return column ? manifestOf(column).license : "";
}

function columnsOf(library: Library): readonly Column[] {
  return columns.filter((column) => column.library === library);
}

/** Returns the bytes of a library's bundle, or of each of its major versions. */
async function bytesOf(library: Library): Promise<string> {
  const sizes = new Set<string>();
  for (const { imports, folder } of columnsOf(library)) {
    sizes.add(imports ? (await bundleSize(imports, folder)).toLocaleString("en") : "part of Nuxt");
  }
  return [...sizes].join(" and ");
}

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
    versions: columns.map((column) => manifestOf(column).version),
    verdicts,
  };
}

async function contenderOf({ module }: Column): Promise<Contender & Pick<Column, "module">> {
  const { contender } = await import(`./contenders/${module}.ts`);
  return { ...contender, module };
}

function manifestOf({ library, folder }: Column): Manifest {
  if (library === guildpass) return configuration;
  const path = new URL(`node_modules/${library.package}/package.json`, folder);
  return JSON.parse(readFileSync(path, "utf8"));
}
