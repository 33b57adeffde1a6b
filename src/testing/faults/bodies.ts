/**
 * Makes the body of a response slow, endless, or incomplete, and cuts connections.
 *
 * @module
 */

/** Returns the same response. Its body breaks off in the middle. */
export function truncateBody(response: Response): Promise<Response> {
  return replaceBody(response, (bytes) => {
    let sent = false;
    return (controller) => {
      if (sent) {
        controller.error(
          new TypeError("terminated", { cause: new PlannedCut("other side closed") }),
        );
      } else controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)));
      sent = true;
    };
  });
}

/** Returns the same response. Its body comes in ten pieces with a pause before each. */
export function slowBody(
  response: Response,
  pauseMs: number,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  return replaceBody(response, (bytes) => {
    const size = Math.max(1, Math.ceil(bytes.length / 10));
    let sent = 0;
    return async (controller) => {
      await sleep(pauseMs, signal);
      controller.enqueue(bytes.slice(sent, sent + size));
      sent += size;
      if (sent >= bytes.length) controller.close();
    };
  });
}

/** Returns the same response. Its body never ends: more and more spaces follow. */
export function endlessBody(
  response: Response,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  return replaceBody(response, (bytes) => {
    let sent = false;
    return async (controller) => {
      // Without a pause before each piece, no timer would ever fire.
      await sleep(0, signal);
      controller.enqueue(sent ? manySpaces() : bytes);
      sent = true;
    };
  });
}

/** Creates the error of a `fetch` without a response. */
export function connectionError(): TypeError {
  return new TypeError("fetch failed", {
    cause: new PlannedCut("the fake platform cut the connection"),
  });
}

/** Returns true for the error of a planned cut. */
export function isPlannedCut(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof PlannedCut;
}

/**
 * Waits until the time is over or the signal aborts. `Infinity` waits only for the signal.
 *
 * @throws The reason of the signal, if it aborts.
 */
export async function sleep(
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

/** The cause of an error for `cut`. It tells a server that the error is not a mistake. */
class PlannedCut extends Error {}

type Pull = (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>;

/** Returns the same response with another stream for its body, if it has one. */
async function replaceBody(
  response: Response,
  pullFrom: (bytes: Uint8Array) => Pull,
): Promise<Response> {
  if (response.body === null) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Without a queue, an error does not discard the piece before it.
  const stream = new ReadableStream({ pull: pullFrom(bytes) }, { highWaterMark: 0 });
  return new Response(stream, { status: response.status, headers: response.headers });
}

/** Returns 64 KiB of spaces. They are valid after every JSON text. */
function manySpaces(): Uint8Array {
  return new Uint8Array(65_536).fill(0x20);
}
