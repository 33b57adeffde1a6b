/**
 * Measures the processor time until a new workerd process with a Worker has given its first answer.
 *
 * @module
 */

import { median } from "./compare.ts";
import { prepareWorker } from "./workerd.ts";

/** The measurement of a Worker, in milliseconds. */
export interface StartMeasurement {
  readonly name: string;
  readonly time: number;
  /** The time beyond that of the first Worker, the median of the rounds. */
  readonly added: number;
}

const rounds = 21;

/** The Workers, by the modules in `workers/`. */
const workers = {
  "an empty Worker": "empty",
  "@guildpass/sdk, Login": "login",
  "@guildpass/sdk, PlatformApi and User": "parts",
  "written by hand": "hand_written",
};

/** Starts every Worker in turns. */
export async function measureStarts(): Promise<StartMeasurement[]> {
  const contenders = [];
  for (const [name, module] of Object.entries(workers)) {
    contenders.push({ name, start: await prepareWorker(module), times: [] as number[] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { start, times } of contenders) {
      await using worker = await start();
      times.push(worker.cpuTime());
    }
  }
  const [first] = contenders;
  return contenders.map(({ name, times }) => ({
    name,
    time: median(times),
    added: median(times.map((time, round) => time - (first?.times[round] ?? NaN))),
  }));
}
