/**
 * Measures the processor time until a new workerd process with a Worker has given its first answer.
 *
 * @module
 */

import { type AddedTime, addedTimes } from "./compare.ts";
import { HttpConnection } from "./http_connection.ts";
import { prepareWorker, startPlatform } from "./workerd.ts";

const rounds = 21;

/** The Workers, by the modules in `workers/`. */
const workers = {
  "an empty Worker": "empty",
  "@guildpass/sdk, Login": "login",
  "@guildpass/sdk, PlatformApi and User": "parts",
  "written by hand": "hand_written",
};

/** Starts every Worker in turns. */
export async function measureStarts(): Promise<AddedTime[]> {
  await using platform = await startPlatform();
  const contenders = [];
  for (const [name, module] of Object.entries(workers)) {
    contenders.push({ name, start: await prepareWorker(module, platform), times: [] as number[] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { start, times } of contenders) {
      await using worker = await start();
      using connection = await HttpConnection.open(worker.port);
      await connection.get("/", "");
      times.push(worker.cpuTime());
    }
  }
  return addedTimes(contenders);
}
