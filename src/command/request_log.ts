/**
 * Writes the log line of a request, without secrets.
 *
 * @module
 */

import { safePath } from "../testing/safe_path.ts";

/** Returns a handler that prints a log line for each request. */
export function withRequestLog(
  handler: (request: Request) => Promise<Response>,
  secrets: readonly string[],
  print: (line: string) => void,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, url } = request;
    const start = performance.now();
    let status: number | null = null;
    let reason: string | null = null;
    try {
      const response = await handler(request);
      status = response.status;
      if (status >= 400) reason = await readReason(response.clone());
      return response;
    } finally {
      const milliseconds = performance.now() - start;
      print(logLine({ method, url, status, milliseconds, reason }, secrets));
    }
  };
}

/** A request that has ended, with or without a response. */
export interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  /** The status; `null` without a response. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The reason for an error status; `null` if there is none, or if the status says everything. */
  readonly reason: string | null;
}

/**
 * Returns the log line of a request: method, path, status, time, and the reason for an error.
 *
 * The line omits the query, which may contain codes and states.
 *
 * @param secrets The texts that are never shown in the path.
 */
export function logLine(request: LoggedRequest, secrets: readonly string[]): string {
  const { method, url, status, milliseconds, reason } = request;
  const path = safePath(new URL(url).pathname, secrets);
  const line = `${method} ${path} ${status ?? "no response"} ${milliseconds.toFixed(0)} ms`;
  return reason === null ? line : `${line}: ${reason}`;
}

/**
 * Returns the reason for an error response: the code of OAuth, the message of the API, or a plain text. Returns `null` for a page,
 * and for a message that repeats the status. It leaves out the description of an OAuth error, which may repeat text of the request.
 */
export async function readReason(response: Response): Promise<string | null> {
  if (response.headers.get("content-type")?.startsWith("text/html")) return null;
  const text = (await response.text()).trim();
  if (!text.startsWith("{")) return text || null;
  const { error, message, code } = JSON.parse(text);
  if (error !== undefined) return error;
  if (code === 0) return null;
  if (code === undefined) return message;
  const cause = code === 40333 ? ", since the request has no User-Agent header" : "";
  return `${message} (${code})${cause}`;
}
