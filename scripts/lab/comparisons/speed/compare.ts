/**
 * Measures contenders side by side: each gets a short turn in every round, so that other work of the machine slows all
 * of them alike. The result is the median turn, and the median of the ratios within a round.
 *
 * @module
 */

import process from "node:process";
import { do_not_optimize, measure } from "mitata";
import type { Measurement, Measurements } from "./measurements.ts";

/** A function to measure. */
export type Run = () => unknown;

/** Options of {@link compare}. */
export interface CompareOptions {
  /** True to measure allocated bytes too. @default {false} */
  readonly heap?: boolean;
  /** The number of turns of each contender. @default {9} */
  readonly rounds?: number;
  /** The least time of a turn, in milliseconds. @default {40} */
  readonly turn?: number;
}

/** Contenders by their names, by the title of their contest. */
export type Contests = Readonly<Record<string, Readonly<Record<string, Run>>>>;

/** Measures contests one after the other. */
export async function compareAll(
  contests: Contests,
  options: CompareOptions = {},
): Promise<Measurements> {
  const measurements: Record<string, readonly Measurement[]> = {};
  for (const [title, contenders] of Object.entries(contests)) {
    measurements[title] = await compare(contenders, options);
  }
  return measurements;
}

/** Measures contenders side by side. Ratios are relative to the first one. */
export async function compare(
  contenders: Readonly<Record<string, Run>>,
  { heap = false, rounds = 9, turn = 40 }: CompareOptions = {},
): Promise<Measurement[]> {
  const names = Object.keys(contenders);
  const turns: { time: number; bytes: number | null }[][] = [];
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const measured = [];
    for (const name of names) {
      measured.push(await measureTurn(contenders[name] as Run, heap, turn));
    }
    if (round) turns.push(measured);
  }
  return names.map((name, index) => ({
    name,
    time: median(turns.map((round) => round[index]?.time ?? NaN)),
    bytes: heap ? median(turns.map((round) => round[index]?.bytes ?? NaN)) : null,
    ratio: median(
      turns.map((round) => (round[index]?.time ?? NaN) / (round[0]?.time ?? NaN)),
    ),
  }));
}

/** The measurement of a process, in milliseconds. */
export interface AddedTime {
  readonly name: string;
  readonly time: number;
  /** The time beyond that of the first contender, the median of the rounds. */
  readonly added: number;
}

/** Returns the medians of the times of contenders, each of which had a turn in every round. */
export function addedTimes(
  contenders: readonly { readonly name: string; readonly times: readonly number[] }[],
): AddedTime[] {
  const [first] = contenders;
  return contenders.map(({ name, times }) => ({
    name,
    time: median(times),
    added: median(times.map((time, round) => time - (first?.times[round] ?? NaN))),
  }));
}

/** Returns the median of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) +
    (sorted[sorted.length >> 1] ?? NaN)) / 2;
}

async function measureTurn(
  run: Run,
  heap: boolean,
  turn: number,
): Promise<{ time: number; bytes: number | null }> {
  const observed = () => {
    const result = run();
    do_not_optimize(result);
    return result;
  };
  const options = {
    min_cpu_time: turn * 1e6,
    min_samples: 5,
    batch_samples: 256,
    batch_threshold: 20_000,
    // A garbage collection before every turn would discard compiled code.
    gc: false,
  };
  const { p50 } = await measure(observed, options);
  if (!heap) return { time: p50, bytes: null };
  // Measured separately, because reading the heap size slows the runs.
  const heapUsed = () => process.memoryUsage().heapUsed;
  const stats = await measure(observed, {
    ...options,
    min_cpu_time: 5e6,
    heap: heapUsed,
  });
  return { time: p50, bytes: stats.heap?.avg ?? null };
}
