/**
 * Measures a save in a `MemoryStore` with many values, half of which expire while it is measured. It runs in Node.
 *
 * @module
 */

import process from "node:process";
import { MemoryStore } from "../../../../mod.ts";
import { median } from "./compare.ts";

/** The measurement of a store with a number of values. */
export interface StoreSaves {
  readonly values: number;
  /** The processor time of a save, in microseconds: the median of the repetitions. */
  readonly save: number;
  /**
   * The longest save, in milliseconds. Each save counts with its shortest time in all repetitions, so that neither other processes nor the
   * garbage collection count, but work that the store does at this save.
   */
  readonly longest: number;
}

const sizes = [10_000, 100_000, 1_000_000];
const repetitions = 5;
const saves = 100_000;

/** A value of the length of a small session. */
const value = "x".repeat(300);

/** Measures stores of several sizes side by side. */
export async function memoryStoreSaves(): Promise<StoreSaves[]> {
  const measured = sizes.map((size) => ({
    size,
    times: [] as number[],
    shortest: new Float64Array(saves).fill(Infinity),
  }));
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const { size, times, shortest } of measured) {
      const store = await filledStore(size);
      const begin = process.cpuUsage();
      for (let save = 0; save < saves; save++) {
        const before = performance.now();
        await store.save(`new ${save}`, value, { version: null, expiresAt: later });
        shortest[save] = Math.min(shortest[save] ?? Infinity, performance.now() - before);
      }
      const { user, system } = process.cpuUsage(begin);
      times.push((user + system) / saves);
    }
  }
  return measured.map(({ size, times, shortest }) => ({
    values: size,
    save: median(times),
    longest: shortest.reduce((longest, time) => Math.max(longest, time)),
  }));
}

const later = Date.now() + 86_400_000;

/** Returns a store in which every second value is about to expire. */
async function filledStore(size: number): Promise<MemoryStore> {
  const store = new MemoryStore();
  const soon = Date.now() + 5000;
  for (let at = 0; at < size; at++) {
    const expiresAt = at % 2 === 0 ? soon : later;
    await store.save(`value ${at}`, value, { version: null, expiresAt });
  }
  return store;
}
