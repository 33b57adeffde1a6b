/**
 * Checks the runtime.
 *
 * @module
 */

/** The class that was checked last. Constructing a stream for each client takes 2 % of a login on Workers. */
let checked: typeof ReadableStream | undefined;

/**
 * Checks that the runtime has the functions for this library and for ky.
 *
 * @throws {Error} If a function is missing, as in a Worker with an old compatibility date.
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
