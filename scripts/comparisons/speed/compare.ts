/**
 * Measures contenders side by side: a short turn for each, round after round, so that whatever else the machine does
 * meets all of them alike. What counts is the median turn, and the median of the ratios within a round.
 *
 * @module
 */

import { do_not_optimize, measure } from "mitata";

/** Something that is measured. */
export type Run = () => unknown;

/** What was measured of one contender. */
export interface Measured {
  readonly name: string;
  /** Nanoseconds a run takes. */
  readonly time: number;
  /** Bytes a run allocates, where that was asked for. */
  readonly bytes: number | null;
  /** How its time compares to that of the first contender. */
  readonly ratio: number;
}

/** Options of {@link compare}. */
export interface CompareOptions {
  /** Whether to measure allocated bytes too. @default {false} */
  readonly heap?: boolean;
  /** How often each contender has its turn. @default {9} */
  readonly rounds?: number;
  /** Milliseconds a turn takes at least. @default {40} */
  readonly turn?: number;
}

/** Measures contenders side by side. The ratios are against the first one. */
export async function compare(
  contenders: Readonly<Record<string, Run>>,
  { heap = false, rounds = 9, turn = 40 }: CompareOptions = {},
): Promise<Measured[]> {
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

/** The middle of some numbers. */
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
    // A collection before every turn would throw away what the engine has learnt.
    gc: false,
  };
  const { p50 } = await measure(observed, options);
  if (!heap) return { time: p50, bytes: null };
  // Apart, as asking for the size of the heap takes time from the runs around it.
  const heapUsed = () => Deno.memoryUsage().heapUsed;
  const stats = await measure(observed, {
    ...options,
    min_cpu_time: 5e6,
    heap: heapUsed,
  });
  return { time: p50, bytes: stats.heap?.avg ?? null };
}
