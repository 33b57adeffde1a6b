/**
 * Runs the same mishaps and attacks against logins with several libraries, and prints two tables in Markdown: one of the
 * libraries, one of the mishaps. It runs in Node, for which the libraries are made.
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
import { type Column, columns, headingOf, libraries } from "./columns.ts";
import type { Contender } from "./contender.ts";
import { guildpass, type Library } from "./libraries.ts";
import { servePlatforms } from "./platform.ts";
import { startProcess } from "./process.ts";
import { rows } from "./rows.ts";

/** The parts of a `package.json` that the tables name. */
interface Manifest {
  readonly version: string;
  readonly license: string;
}

// The logs of the applications must not appear in the tables.
console.log = console.error = console.warn = () => {};
// Otherwise, an application that throws outside of a request ends the comparison.
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => {});
try {
  await printLibraries();
  process.stdout.write("\n");
  await printMishaps();
} catch (error) {
  // Next.js would keep the process alive.
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
// Some applications are still waiting for the platform.
process.exit();

async function printLibraries(): Promise<void> {
  printTable([
    "Library",
    "Status",
    "Last release",
    "First release",
    "License",
    "Bytes",
    "Several providers",
    "Account linking",
    "Rate limiting",
  ]);
  for (const library of libraries) {
    printRow([
      `\`${library.package}\``,
      library.status,
      library.lastRelease,
      library.since,
      licenseOf(library),
      await bytesOf(library),
      library.severalProviders,
      library.accountLinking,
      library.rateLimiting,
    ]);
  }
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

async function printMishaps(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const redis = opened.use(await startRedis());
  const folder = mkdtempSync(join(tmpdir(), "guildpass-compare-"));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const shared = { redisUrl: redis.url, file: join(folder, "database.sqlite") };
  const platforms = await servePlatforms();
  const contenders = await Promise.all(columns.map(contenderOf));

  printTable([new Date().toISOString().slice(0, 10), ...columns.map(headingOf)]);
  printRow(["Status", ...columns.map(({ library }) => library.status)]);
  printRow(["Last release", ...columns.map(({ library }) => library.lastRelease)]);
  printRow(["Version", ...columns.map((column) => manifestOf(column).version)]);
  printRow(["Lines of the application", ...contenders.map(linesOf)]);
  for (const row of rows) {
    const cells: string[] = [];
    for (const contender of contenders) {
      const { createApp, createSharedApp, isAlwaysShared } = contender;
      const verdict = await row.run({
        contender,
        app: await (isAlwaysShared && createSharedApp ? createSharedApp(shared) : createApp()),
        fake: platforms.begin(contender.callback),
        startProcess: () =>
          startProcess({ contender: contender.module, shared, platform: platforms.server }),
      });
      cells.push(verdict);
    }
    printRow([row.name, ...cells]);
  }
}

async function contenderOf({ module }: Column): Promise<Contender & Pick<Column, "module">> {
  const { contender } = await import(`./contenders/${module}.ts`);
  return { ...contender, module };
}

/** Prints the head of a table. */
function printTable(head: readonly string[]): void {
  printRow(head);
  printRow(head.map(() => "---"));
}

function printRow(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

function manifestOf({ library, folder }: Column): Manifest {
  if (library === guildpass) return configuration;
  const path = new URL(`node_modules/${library.package}/package.json`, folder);
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Counts the lines of an application, without empty lines and comments. */
function linesOf({ createApp, createSharedApp, isAlwaysShared, sources }: Contender): number {
  const shared = isAlwaysShared && createSharedApp ? bodyOf(createSharedApp) : [];
  const lines = sources
    ? sources.flatMap((path) => readFileSync(path, "utf8").split("\n"))
    : [...bodyOf(createApp), ...shared];
  return lines.map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//")).length;
}

function bodyOf(code: Contender["createApp"] | Contender["createSharedApp"]): readonly string[] {
  return String(code).split("\n").slice(1, -1);
}
