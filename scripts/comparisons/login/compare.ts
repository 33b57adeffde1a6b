/**
 * Runs the same mishaps and attacks against logins with several libraries, and prints a table in Markdown. It
 * runs in Node, for which the libraries are made.
 *
 * @module
 */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { version } from "../../../src/core/version.ts";
import { startRedis } from "../../../tests/integration/stores/support/databases.ts";
import type { Contender } from "./contender.ts";
import { nuxtFolder } from "./nuxt_project.ts";
import { servePlatforms } from "./platform.ts";
import { startProcess } from "./process.ts";
import { rows } from "./rows.ts";

/** A column of the table. */
interface Column {
  readonly package: string;
  /** The options that the application sets although the package's own documentation does not mention them. */
  readonly options?: string;
  /** The module in `contenders/`. */
  readonly module: string;
  /** The folder in which the package is installed. */
  readonly folder: URL;
}

const here = new URL("./", import.meta.url);

const columns: readonly Column[] = [
  { package: "@guildpass/sdk", module: "guildpass", folder: here },
  { package: "better-auth", module: "better_auth", folder: here },
  { package: "@auth/core", module: "auth_core", folder: here },
  { package: "nuxt-auth-utils", module: "nuxt_auth_utils", folder: nuxtFolder },
  { package: "@hono/oauth-providers", module: "hono_oauth_providers", folder: here },
  { package: "passport-discord", module: "passport_discord", folder: here },
  {
    package: "passport-discord",
    options: "state: true, pkce: true",
    module: "passport_discord_safer",
    folder: here,
  },
  { package: "arctic", module: "arctic", folder: here },
];

// The logs of the applications must not appear in the table.
console.error = console.warn = () => {};
await printTable();
// Some applications are still waiting for the platform.
process.exit();

async function printTable(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const redis = opened.use(await startRedis());
  const folder = mkdtempSync(join(tmpdir(), "guildpass-compare-"));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const shared = { redisUrl: redis.url, file: join(folder, "database.sqlite") };
  const platforms = await servePlatforms();
  const contenders = await Promise.all(columns.map(contenderOf));

  printRow([new Date().toISOString().slice(0, 10), ...columns.map(headingOf)]);
  printRow(["---", ...columns.map(() => "---")]);
  printRow(["Version", ...columns.map(versionOf)]);
  printRow(["Lines of the application", ...contenders.map(linesOf)]);
  for (const row of rows) {
    const cells: string[] = [];
    for (const [index, { module }] of columns.entries()) {
      const contender = contenders[index];
      const verdict = await row.run({
        contender,
        app: await contender.createApp(),
        fake: platforms.begin(contender.callback),
        startProcess: () => startProcess({ contender: module, shared, platform: platforms.server }),
      });
      cells.push(verdict);
    }
    printRow([row.name, ...cells]);
  }
}

async function contenderOf({ module }: Column): Promise<Contender> {
  const { contender } = await import(`./contenders/${module}.ts`);
  return contender;
}

function printRow(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

function headingOf({ package: name, options }: Column): string {
  return options ? `\`${name}\` with \`${options}\`` : `\`${name}\``;
}

function versionOf({ package: name, folder }: Column): string {
  if (name === "@guildpass/sdk") return version;
  const path = new URL(`node_modules/${name}/package.json`, folder);
  return JSON.parse(readFileSync(path, "utf8")).version;
}

/** Counts the lines of an application, without empty lines and comments. */
function linesOf({ createApp, sources }: Contender): number {
  const lines = sources
    ? sources.flatMap((path) => readFileSync(path, "utf8").split("\n"))
    : createApp.toString().split("\n").slice(1, -1);
  return lines.map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//")).length;
}
