/**
 * One line for each request, in which no secret shows.
 *
 * @module
 */

/** A request that was answered, or given up. */
export interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  /** `null` when there was no answer. */
  readonly status: number | null;
  readonly milliseconds: number;
}

/**
 * The line for a request: method, path, status, time.
 *
 * There is no query in it, since codes and states are there. Of the path there are the parts that look like
 * those of the platform's own addresses; every other is replaced by `…`.
 *
 * @param secrets What must not show, even if it looks like part of an address.
 */
export function logLine(request: LoggedRequest, secrets: readonly string[]): string {
  const { method, url, status, milliseconds } = request;
  const path = new URL(url).pathname.split("/")
    .map((part) => isHarmless(part, secrets) ? part : "…").join("/");
  return `${method} ${path} ${status ?? "no answer"} ${milliseconds.toFixed(0)} ms`;
}

function isHarmless(part: string, secrets: readonly string[]): boolean {
  return harmlessParts.some((pattern) => pattern.test(part)) &&
    !secrets.some((secret) => part.includes(secret));
}

/** Tokens and secrets are longer than the first, and have capital letters and digits. */
const harmlessParts: readonly RegExp[] = [
  /^[a-z@.][a-z0-9@._-]{0,15}$/,
  // Longer names have no digits: `openid-configuration`.
  /^[a-z.-]{0,32}$/,
  // Ids, and the hashes of images.
  /^\d{1,20}$/,
  /^(\d|(a_)?[\da-f]{32}|\d{1,20})\.(png|jpg|jpeg|webp|gif)$/,
];
