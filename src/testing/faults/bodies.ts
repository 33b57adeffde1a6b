/**
 * Makes response bodies slow, endless or incomplete, and cuts connections.
 *
 * @module
 */

import { sleep } from "../../core/wait.ts";

/** Returns the response with a body that breaks off in the middle. */
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

/** Returns the response with a body in ten pieces, and a pause before each piece. */
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

/** Returns the response with an endless body: the original body, then spaces. */
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

/** Creates the error of a `fetch` after a cut connection. */
export function connectionError(): TypeError {
  return new TypeError("fetch failed", {
    cause: new PlannedCut("the fake platform cut the connection"),
  });
}

/** Returns true for the error of a planned cut. */
export function isPlannedCut(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof PlannedCut;
}

/** The cause of an error for `cut`. It marks the error as intended. */
class PlannedCut extends Error {}

type Pull = (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>;

/** Returns the response with a replaced body stream. A response without a body stays unchanged. */
async function replaceBody(
  response: Response,
  pullFrom: (bytes: Uint8Array) => Pull,
): Promise<Response> {
  if (response.body === null) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Without a queue, an error does not discard the previous piece.
  const stream = new ReadableStream({ pull: pullFrom(bytes) }, { highWaterMark: 0 });
  return new Response(stream, { status: response.status, headers: response.headers });
}

/** Returns 64 KiB of spaces, which are valid after any JSON text. */
function manySpaces(): Uint8Array {
  return new Uint8Array(65_536).fill(0x20);
}
