/**
 * Runs the same mishaps and attacks against logins with several libraries, and prints a table in Markdown. It is a program for
 * Node, for which the libraries are made.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";
import { version } from "../../src/version.ts";
import { contender as arctic } from "./contenders/arctic.ts";
import { contender as authCore } from "./contenders/auth_core.ts";
import { contender as betterAuth } from "./contenders/better_auth.ts";
import { contender as guildpass } from "./contenders/guildpass.ts";
import { contender as hono } from "./contenders/hono_oauth_providers.ts";
import { contender as passport } from "./contenders/passport_discord.ts";
import { servePlatforms } from "./platform.ts";
import { rows } from "./rows.ts";

const contenders = {
  "@guildpass/sdk": guildpass,
  "better-auth": betterAuth,
  "@auth/core": authCore,
  "@hono/oauth-providers": hono,
  "passport-discord": passport,
  "arctic": arctic,
};

const beginPlatform = await servePlatforms();
const entries = Object.entries(contenders);
const passed = entries.map(() => 0);
// What an application logs belongs to it, and not in the table.
console.error = console.warn = () => {};

printRow([new Date().toISOString().slice(0, 10), ...entries.map(([name]) => `\`${name}\``)]);
printRow(["---", ...entries.map(() => "---")]);
printRow(["Version", ...entries.map(([name]) => versionOf(name))]);
printRow(["Lines of the application", ...entries.map(([, { createApp }]) => linesOf(createApp))]);
for (const row of rows) {
  const cells: string[] = [];
  for (const [index, [, contender]] of entries.entries()) {
    const fake = beginPlatform(contender.callback);
    const verdict = await row.run({ contender, app: await contender.createApp(), fake });
    if (verdict === "yes" || verdict === "has no such parameter") {
      passed[index] = (passed[index] ?? 0) + 1;
    }
    cells.push(verdict);
  }
  printRow([row.name, ...cells]);
}
printRow([`Right, of ${rows.length}`, ...passed]);
process.exit();

function printRow(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

function versionOf(name: string): string {
  if (name === "@guildpass/sdk") return version;
  const path = new URL(`node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")).version;
}

/** The lines that an application has, without empty ones and comments. */
function linesOf(createApp: () => unknown): number {
  const lines = createApp.toString().split("\n").slice(1, -1).map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("//")).length;
}
