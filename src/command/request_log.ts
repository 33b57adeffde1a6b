/**
 * Writes the log line of a request, without secrets.
 *
 * @module
 */

/** A request that has ended, with or without a response. */
export interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  /** `null` if there was no response. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The reason of a refusal; `null` for any other response. */
  readonly reason: string | null;
}

/**
 * Returns the log line of a request: method, path, status, time, and the reason of a refusal.
 *
 * The query is left out, since it has codes and states. The path shows the segments that look like those of the platform's own
 * URLs, and `…` for all others.
 *
 * @param secrets Texts that are never shown, even if they look like a segment of the platform's URLs.
 */
export function logLine(request: LoggedRequest, secrets: readonly string[]): string {
  const { method, url, status, milliseconds, reason } = request;
  const path = new URL(url).pathname.split("/")
    .map((segment) => isSafeSegment(segment, secrets) ? segment : "…").join("/");
  const line = `${method} ${path} ${status ?? "no response"} ${milliseconds.toFixed(0)} ms`;
  return reason === null ? line : `${line}: ${reason}`;
}

/** Reads the reason of a 403: the message of the API, or the text of a page's refusal. */
export async function readReason(response: Response): Promise<string> {
  const text = await response.text();
  if (!text.startsWith("{")) return text.trim();
  const { message, code } = JSON.parse(text);
  const cause = code === 40333 ? ", since the request has no User-Agent header" : "";
  return `${message} (${code})${cause}`;
}

function isSafeSegment(segment: string, secrets: readonly string[]): boolean {
  return safeSegments.some((pattern) => pattern.test(segment)) &&
    !secrets.some((secret) => segment.includes(secret));
}

/** Tokens and secrets match none: they are longer than 16 characters, and have capital letters and digits. */
const safeSegments: readonly RegExp[] = [
  /^[a-z@.][a-z0-9@._-]{0,15}$/,
  // Names up to 32 characters without digits, such as `openid-configuration`.
  /^[a-z.-]{0,32}$/,
  // Ids.
  /^\d{1,20}$/,
  // Images: a number, a hash or an id.
  /^(\d|(a_)?[\da-f]{32}|\d{1,20})\.(png|jpg|jpeg|webp|gif)$/,
];
