/**
 * Measures `toRequest` of `./node` against the steps of which the runtime makes a `Request`, for a route that is not the login's.
 *
 * @module
 */

import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";
import { type OutgoingResponse, toRequest } from "../../../../src/node.ts";
import { processorTime } from "../../../../tests/support/processor_time.ts";
import { median, type Run } from "./compare.ts";
import type { Measurement } from "./measurements.ts";

const headers = {
  "host": "app.example",
  "connection": "keep-alive",
  "upgrade-insecure-requests": "1",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "accept-encoding": "gzip, deflate, br",
  "accept-language": "en-US,en;q=0.5",
  "cookie": "__Host-session=3WX0ZRYGDi2o7nJX4vVbVIwXTzyXPEjV3WX0ZRYGDi2",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "same-origin",
};
const url = "http://app.example/shop/things?page=2";

const incoming = {
  method: "GET",
  url: "/shop/things?page=2",
  headers,
  socket: {},
  async *[Symbol.asyncIterator]() {},
};

/** Returns the response of Node, with the parts that `toRequest` uses. */
function createOutgoing(): OutgoingResponse {
  return Object.assign(new EventEmitter(), {
    destroyed: false,
    writableEnded: false,
  }) as unknown as OutgoingResponse;
}

/** Returns a signal that aborts when the client disconnects. */
function signalOf(outgoing: OutgoingResponse): AbortSignal {
  const disconnection = new AbortController();
  outgoing.on("close", () => disconnection.abort());
  return disconnection.signal;
}

const contenders: Readonly<Record<string, Run>> = {
  "Request with headers and a signal": () =>
    new Request(url, { headers, signal: signalOf(createOutgoing()) }),
  "Request with headers": () => new Request(url, { headers }),
  "Request": () => new Request(url),
  "toRequest": () => toRequest(incoming, createOutgoing()),
};

const rounds = 40;
const runs = 1000;

/** Returns the processor time of each contender, which includes the collection of its garbage. Other processes do not change it. */
export async function nodeRequests(): Promise<Measurement[]> {
  const names = Object.keys(contenders);
  const times: number[][] = [];
  let last: unknown;
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const measured = [];
    for (const name of names) {
      const run = contenders[name] as Run;
      measured.push(
        processorTime(() => {
          for (let count = 0; count < runs; count++) last = run();
        }),
      );
      await setImmediate(last);
    }
    if (round) times.push(measured);
  }
  return names.map((name, at) => ({
    name,
    time: median(times.map((round) => (round[at] ?? NaN) / runs * 1e6)),
    bytes: null,
    ratio: median(times.map((round) => (round[at] ?? NaN) / (round[0] ?? NaN))),
  }));
}
