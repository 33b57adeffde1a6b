/**
 * The tables of `docs/comparison.md` in Markdown: a summary, the libraries, and all mishaps.
 *
 * @module
 */

import { type Column, columns, headingOf, libraries } from "./columns.ts";
import type { Library } from "./libraries.ts";
import { missingFeature, type RowGroup } from "./rows.ts";

/** The results of one run. */
export interface Results {
  /** The day of the run. */
  readonly date: string;
  /** The verdicts of each row of `rows.ts`, one for each column. */
  readonly verdicts: ReadonlyMap<string, readonly string[]>;
}

/** The measured facts about a library. */
export interface Package {
  /** The compared version, or one for each major version. */
  readonly version: string;
  readonly license: string;
  readonly bytes: string;
}

/** A row of the summary. */
interface SummaryRow {
  readonly label: string;
  /** Returns the verdict for one column. */
  verdictOf(column: Column, results: Results): string;
}

/** The columns of the summary: the modules of their applications, by names that fit a phone. */
export const summaryColumns: Readonly<Record<string, string>> = {
  "guildpass": "guildpass",
  "guildpass + store": "guildpass_with_store",
  "better-auth": "better_auth",
  "Auth.js": "next_auth_5",
  "passport": "discord_strategy_safer",
  "arctic": "arctic",
};

/** The rows of the summary. */
export const summaryRows: readonly SummaryRow[] = [
  measured(
    "Logins in two tabs both work",
    "Logins in two tabs both work if the older tab finishes first",
    "Logins in two tabs both work if the newer tab finishes first",
  ),
  measured(
    "Users see an error page within 15 s if Discord doesn't respond",
    "A visitor sees a page within 15 seconds if Discord doesn't respond",
  ),
  measured(
    "A stolen code is useless",
    "Code injection: a thief can't log in with a stolen code",
  ),
  measured(
    "Logging out disables copied cookies",
    "After a logout, a copied session cookie no longer works",
  ),
  measured(
    "Another site can't start a login",
    "Another site can't start a login with a link or form",
  ),
  {
    label: "Supports providers besides Discord",
    verdictOf: ({ library }) => library.severalProviders.startsWith("✓") ? "yes" : "no",
  },
];

/** Returns the table that fits a phone. */
export function summaryTable(results: Results): string {
  const chosen = Object.values(summaryColumns).map(columnOf);
  return tableOf([
    [cornerOf(results), ...Object.keys(summaryColumns)],
    ...summaryRows.map(({ label, verdictOf }) => [
      label,
      ...chosen.map((column) => markOf(verdictOf(column, results))),
    ]),
  ]);
}

/** Returns the table of the libraries. */
export function libraryTable(packages: ReadonlyMap<Library, Package>): string {
  return tableOf([
    [
      "Library",
      "Tested version",
      "Status",
      "First release",
      "License",
      "Bytes",
      "Multiple providers",
      "Account linking",
      "Rate limiting",
    ],
    ...libraries.map((library) => [
      `\`${library.package}\``,
      releaseOf(library, packages.get(library)?.version ?? ""),
      library.status,
      `${library.since}`,
      packages.get(library)?.license ?? "",
      packages.get(library)?.bytes ?? "",
      library.severalProviders,
      library.accountLinking,
      library.rateLimiting,
    ]),
  ]);
}

/** Returns the cell of the tested version. It also names the last release if that is another one. */
function releaseOf({ lastRelease }: Library, version: string): string {
  const isLast = version.split(" and ").every((one) => lastRelease.includes(one));
  return isLast ? lastRelease : `${version} (last release: ${lastRelease})`;
}

/** Returns the sections of the mishaps, each with a heading and a table of all applications. */
export function mishapSections(results: Results, groups: readonly RowGroup[]): string {
  return groups.map((group) => {
    const table = mishapTable(results, group);
    return `### ${group.heading}\n\n<details>\n<summary>Show the table</summary>\n\n${table}\n</details>\n`;
  }).join("\n");
}

/** Returns the table of one group of mishaps. */
export function mishapTable(results: Results, { rows }: RowGroup): string {
  return tableOf([
    [cornerOf(results), ...columns.map(headingOf)],
    ...rows.map(({ name }) => [name, ...verdictsOf(results, name).map(cellOf)]),
  ]);
}

/** Returns the cell of a verdict: a mark, and the words of anything but "yes". */
export function cellOf(verdict: string): string {
  const mark = markOf(verdict);
  return mark === "✗" ? `${mark} ${verdict}` : mark;
}

/** Returns the verdict of a cell. */
export function verdictIn(cell: string): string {
  return cell === "✓" ? "yes" : cell.replace(/^✗ /, "");
}

/** Returns the mark of a verdict. The verdict on a library without the feature is its own mark. */
function markOf(verdict: string): "✓" | "✗" | typeof missingFeature {
  if (verdict === "yes") return "✓";
  return verdict === missingFeature ? missingFeature : "✗";
}

/** Returns the cell at the top left of a table. */
function cornerOf({ date }: Results): string {
  return `Tested ${date}`;
}

/** Returns a row of the summary with the first verdict of some rows that is not "yes". */
function measured(label: string, ...names: readonly string[]): SummaryRow {
  return {
    label,
    verdictOf(column, results) {
      const found = names.map((name) => verdictsOf(results, name)[columns.indexOf(column)]);
      return found.find((verdict) => verdict !== "yes") ?? "yes";
    },
  };
}

/** Returns the verdicts of a row, one for each column. */
function verdictsOf({ verdicts }: Results, name: string): readonly string[] {
  const row = verdicts.get(name);
  if (!row) throw new Error(`The results have no row "${name}"`);
  return row;
}

function columnOf(module: string): Column {
  const column = columns.find((column) => column.module === module);
  if (!column) throw new Error(`There is no application ${module}`);
  return column;
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
