/**
 * Checks the runtime.
 *
 * @module
 */

/**
 * Asserts that the runtime has what this library and ky use.
 *
 * @throws {Error} If it lacks something, as a Worker with an old compatibility date does.
 */
export function assertRuntime(): void {
  try {
    new ReadableStream();
    URL.canParse("");
  } catch (cause) {
    throw new Error(
      "This runtime lacks URL.canParse() or new ReadableStream(): in a Cloudflare Worker, set compatibility_date to 2022-11-30 or later",
      { cause },
    );
  }
}
