/**
 * Failures on demand: answers that are wrong, late, cut short or missing.
 *
 * @module
 */

import { plainError, readApiPath } from "./http.ts";
import { tooManyRequests } from "./rate_limits.ts";
import type { Failure } from "./types.ts";

/** The failures that are still to happen. */
export interface FailureQueue {
  add(failure: Failure): () => void;
  /** Takes the first failure that matches the request. */
  take(method: string, path: string): Failure | null;
}

export function createFailureQueue(): FailureQueue {
  const queue: { readonly failure: Failure; left: number }[] = [];

  function remove(at: number): void {
    if (at >= 0) queue.splice(at, 1);
  }

  return {
    add(failure) {
      validate(failure);
      const entry = { failure: { ...failure }, left: failure.times ?? 1 };
      queue.push(entry);
      return () => remove(queue.indexOf(entry));
    },
    take(method, path) {
      const at = queue.findIndex(({ failure }) => matches(failure, method, path));
      const entry = queue[at];
      if (entry === undefined) return null;
      entry.left -= 1;
      if (entry.left <= 0) remove(at);
      return entry.failure;
    },
  };
}

/** Whether the failure replaces the platform's own answer. */
export function replacesAnswer(failure: Failure): boolean {
  return failure.status !== undefined || failure.body !== undefined;
}

/** The answer that a failure asks for. */
export function failureResponse({ status = 200, body, headers }: Failure): Response {
  if (body !== undefined) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = text.trimStart().startsWith("<") ? "text/html; charset=utf-8" : "application/json";
    return new Response(text === "" ? null : text, {
      status,
      headers: text === "" ? {} : { "content-type": type },
    });
  }
  if (status === 429) {
    const seconds = Number(new Headers(headers).get("retry-after") ?? 1);
    const answer = tooManyRequests(Number.isNaN(seconds) ? 1 : seconds, "user");
    if (headers !== undefined) answer.headers.delete("retry-after");
    return answer;
  }
  return status < 400 ? new Response(null, { status }) : plainError(status);
}

/** The same answer, which breaks off in the middle of its body, if it has one. */
export async function cutShort(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    // Pulled one by one: an error at once would throw away what was sent before it.
    pull(controller) {
      if (sent) {
        controller.error(
          new TypeError("terminated", { cause: new PlannedCut("other side closed") }),
        );
      } else controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)));
      sent = true;
    },
  }, { highWaterMark: 0 });
  return new Response(stream, { status: response.status, headers: response.headers });
}

/** What `fetch` rejects with when there is no answer. */
export function connectionError(): TypeError {
  return new TypeError("fetch failed", {
    cause: new PlannedCut("the fake platform cut the connection"),
  });
}

/** The cause of an error that was asked for with `cut`, so that a server can tell it from a mistake. */
class PlannedCut extends Error {}

/** Whether an error is a connection that was cut because a failure asked for it. */
export function isPlannedCut(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof PlannedCut;
}

/**
 * Waits, unless the signal has other plans. `Infinity` waits for the signal alone.
 *
 * @throws The signal's reason, when it aborts.
 */
export async function wait(
  milliseconds: number,
  signal: AbortSignal | null | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = milliseconds === Infinity ? undefined : setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort);
  });
}

function matches(failure: Failure, method: string, path: string): boolean {
  if (failure.method !== undefined && failure.method.toUpperCase() !== method) return false;
  if (failure.path === undefined) return true;
  if (typeof failure.path === "string") {
    return failure.path === path || failure.path === readApiPath(path)?.path;
  }
  // `search` pays no heed to `lastIndex`, so a global expression works more than once.
  return path.search(failure.path) !== -1;
}

function validate(
  { path = "/", times = 1, status, body, headers, delay = 0, cut, hang = false }: Failure,
): void {
  // It would match no request, and the test would pass for the wrong reason.
  if (typeof path === "string" && !path.startsWith("/")) {
    throw new TypeError(`path must begin with a slash: found ${path}`);
  }
  if (times !== Infinity && (!Number.isInteger(times) || times < 1)) {
    throw new TypeError(`times must be a positive integer or Infinity: found ${times}`);
  }
  if (status !== undefined && (!Number.isInteger(status) || status < 200 || status > 599)) {
    throw new TypeError(`status must be an integer from 200 to 599: found ${status}`);
  }
  if (!Number.isFinite(delay) || delay < 0) {
    throw new TypeError(`delay must be milliseconds, not negative: found ${delay}`);
  }
  if (
    body !== undefined && body !== "" && status !== undefined && [204, 205, 304].includes(status)
  ) {
    throw new TypeError(`an answer of status ${status} has no body`);
  }
  // Complains about names and values that cannot be sent.
  new Headers(headers);
  const answers = status !== undefined || body !== undefined || cut === "body";
  if ((hang || cut === "before") && answers || hang && cut === "before") {
    throw new TypeError(
      'hang and cut: "before" answer nothing, so they go with nothing that answers',
    );
  }
}
