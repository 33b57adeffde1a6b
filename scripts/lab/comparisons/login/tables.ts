/**
 * The tables of `docs/comparison.md` in Markdown: a summary, the libraries, and all mishaps.
 *
 * @module
 */

import { type Column, columns, headingOf, libraries } from "./columns.ts";
import type { Library } from "./libraries.ts";
import { missingFeatures } from "./rows.ts";

/** The results of one run. */
export interface Results {
  /** The day of the run. */
  readonly date: string;
  /** The installed version of each column's library. */
  readonly versions: readonly string[];
  /** The verdicts of each row of `rows.ts`, one for each column. */
  readonly verdicts: ReadonlyMap<string, readonly string[]>;
}

/** The measured facts about a library. */
export interface Package {
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
  "better-auth": "better_auth",
  "Auth.js": "next_auth_5",
  "passport": "discord_strategy",
  "arctic": "arctic",
};

/** The rows of the summary. */
export const summaryRows: readonly SummaryRow[] = [
  measured(
    "Logins in two tabs both work",
    "Two tabs, the older one finishes first: both logins work",
    "Two tabs, the newer one finishes first: both logins work",
  ),
  measured(
    "Users see an error page if Discord doesn't respond",
    "The visitor sees a page if Discord's token response never arrives",
  ),
  measured(
    "A stolen code is useless",
    "Code injection: a stolen code in the thief's own callback doesn't start a session",
  ),
  measured(
    "Logging out disables copied cookies",
    "Logging out disables a cookie that was copied earlier",
  ),
  {
    label: "Supports other providers",
    verdictOf: ({ library }) => library.severalProviders.startsWith("✓") ? "yes" : "no",
  },
];

/** Returns the table that fits a phone. */
export function summaryTable(results: Results): string {
  const chosen = Object.values(summaryColumns).map(columnOf);
  return tableOf([
    [results.date, ...Object.keys(summaryColumns)],
    ...summaryRows.map(({ label, verdictOf }) => [
      label,
      ...chosen.map((column) => markOf(verdictOf(column, results)) ?? "n/a"),
    ]),
  ]);
}

/** Returns the table of the libraries. */
export function libraryTable(packages: ReadonlyMap<Library, Package>): string {
  return tableOf([
    [
      "Library",
      "Status",
      "Last release",
      "First release",
      "License",
      "Bytes",
      "Multiple providers",
      "Account linking",
      "Rate limiting",
    ],
    ...libraries.map((library) => [
      `\`${library.package}\``,
      library.status,
      library.lastRelease,
      `${library.since}`,
      packages.get(library)?.license ?? "",
      packages.get(library)?.bytes ?? "",
      library.severalProviders,
      library.accountLinking,
      library.rateLimiting,
    ]),
  ]);
}

/** Returns the table of all applications and all mishaps. */
export function mishapTable({ date, versions, verdicts }: Results): string {
  return tableOf([
    [date, ...columns.map(headingOf)],
    ["Version", ...versions],
    ...[...verdicts].map(([name, row]) => [name, ...row.map(cellOf)]),
  ]);
}

/** Returns the cell of a verdict: a mark, and the words of anything but "yes". */
export function cellOf(verdict: string): string {
  const mark = markOf(verdict);
  return mark === "✗" ? `${mark} ${verdict}` : mark ?? verdict;
}

/** Returns the verdict of a cell. */
export function verdictIn(cell: string): string {
  return cell === "✓" ? "yes" : cell.replace(/^✗ /, "");
}

/** Returns the mark of a verdict, or null if the library does not have the feature. */
function markOf(verdict: string): "✓" | "✗" | null {
  if (verdict === "yes") return "✓";
  return missingFeatures.includes(verdict) ? null : "✗";
}

/** Returns a row of the summary with the first verdict of some rows that is not "yes". */
function measured(label: string, ...names: readonly string[]): SummaryRow {
  return {
    label,
    verdictOf(column, { verdicts }) {
      const found = names.map((name) => {
        const verdict = verdicts.get(name)?.[columns.indexOf(column)];
        if (verdict === undefined) throw new Error(`The results have no row "${name}"`);
        return verdict;
      });
      return found.find((verdict) => verdict !== "yes") ?? "yes";
    },
  };
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
