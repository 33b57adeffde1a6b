/**
 * Measures the cost of sharing equal reads and of the queue for rate limits, without anything to share or to wait for:
 * the same reads, with and without both.
 *
 * @module
 */

import { deadlineIn } from "../../../../src/core/wait.ts";
import { platformState } from "../../../../src/http/limits/platform_state.ts";
import { checkOptions } from "../../../../src/http/options.ts";
import { Queue } from "../../../../src/http/limits/queue.ts";
import { requestJson } from "../../../../src/http/send.ts";
import { SharedReads } from "../../../../src/api/shared_reads.ts";
import { readPayload } from "../../../../src/resources/reading.ts";
import { userSchema } from "../../../../src/resources/user.ts";
import type { Run } from "./compare.ts";
import { token } from "./payloads.ts";

/** Returns the contenders. */
export function manyAtOnce(
  fetch: typeof globalThis.fetch,
  apiUrl: string,
): Record<string, Record<string, Run>> {
  const cdnUrl = "https://cdn.discordapp.com";
  const platform = { authorizeUrl: "https://discord.com/oauth2/authorize", apiUrl, cdnUrl };
  const authorization = `Bearer ${token.access_token}`;
  const options = checkOptions({ fetch, platform });
  const known = platformState(options);
  const path = "/users/@me";
  const queue = new Queue();
  const reads = new SharedReads();

  async function read(number: number, queue: Queue | null): Promise<unknown> {
    const request = { method: "GET", path, authorization, query: { number } } as const;
    const payload = await requestJson(request, options, known, queue ? [queue] : []);
    return readPayload(userSchema, payload, () => {}, cdnUrl);
  }
  const without = (number: number) => read(number, null);
  const withBoth = (number: number) => {
    const shared = {
      authorization,
      key: `getCurrentUser() ${path} ${number}`,
      maxAgeMs: 0,
      fresh: false,
      requestLine: `GET ${apiUrl}${path}`,
      deadline: deadlineIn(options.timeout),
      signal: null,
    };
    return reads.read(known, shared, () => read(number, queue));
  };
  const forty = (read: (number: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: 40 }, (_, number) => read(number)));

  return {
    "one read": {
      "without": () => without(0),
      "with": () => withBoth(0),
    },
    "40 different reads at once": {
      "without": () => forty(without),
      "with": () => forty(withBoth),
    },
    "40 times the same read at once": {
      "without": () => forty(() => without(0)),
      "with": () => forty(() => withBoth(0)),
    },
  };
}
