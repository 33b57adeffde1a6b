/**
 * Checks the runtime.
 *
 * @module
 */

/** The class whose constructor has worked. Constructing a stream for each client takes 2 % of a login on Workers. */
let checked: typeof ReadableStream | undefined;

/**
 * Asserts that the runtime has what this library and ky use.
 *
 * @throws {Error} If it lacks something, as a Worker with an old compatibility date does.
 */
export function assertRuntime(): void {
  try {
    URL.canParse("");
    if (checked === ReadableStream) return;
    new ReadableStream();
    checked = ReadableStream;
  } catch (cause) {
    throw new Error(
      "This runtime lacks URL.canParse() or new ReadableStream(): in a Cloudflare Worker, set compatibility_date to 2022-11-30 or later",
      { cause },
    );
  }
}
