/**
 * Compares measured ratios with those in RESULTS.md.
 *
 * @module
 */

import type { Measurements } from "./measurements.ts";

/** A measured ratio may be this much smaller than the kept one, since other work of the machine changes ratios too. */
const tolerance = 2;

/** Returns a line for each contender that was kept as slower than the library, and has caught up by more than the tolerance. */
export function lostGround(measurements: Measurements, results: string): string[] {
  return Object.entries(measurements).flatMap(([title, [, ...others]]) =>
    others.flatMap(({ name, ratio }) => {
      const kept = keptRatio(results, title, name);
      return ratio >= kept / tolerance
        ? []
        : [`${title}: the ratio of ${name} is ${ratio.toFixed(2)}, and ${kept} in RESULTS.md`];
    })
  );
}

/** Returns the ratio of a contender in RESULTS.md, or throws if the table has no such row. */
export function keptRatio(results: string, title: string, name: string): number {
  const table = results.split("\n\n").find((text) => text.trimStart().startsWith(`| ${title} `));
  const row = table?.split("\n").find((line) => line.startsWith(`| ${name} `));
  const ratio = Number.parseFloat(row?.split("|")[3] ?? "");
  if (Number.isNaN(ratio)) throw new Error(`RESULTS.md has no ratio of ${name} for "${title}"`);
  return ratio;
}
