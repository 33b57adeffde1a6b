/**
 * Records the requests to the fake platform.
 *
 * @module
 */

import type { Call } from "./http/call.ts";
import { hasMediaType } from "./http/parameters.ts";

/** A request to the fake platform, with secrets in clear text. */
export interface RecordedRequest {
  /** The method, in upper case. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The path of the URL. */
  readonly path: string;
  /** The query parameters. For a repeated parameter, only the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** The headers by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body: an object of strings for a form, the parsed value for JSON, the text for any other type, `null` for an absent or
   * too large body.
   */
  readonly body: unknown;
  /** The status of the response; `null` if no response was sent yet, or if the connection was cut. */
  readonly status: number | null;
}

/** A record that can still change, since its request may not have a response yet. */
type OpenRecord = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** The records of one fake platform. */
export interface RequestRecords {
  /** The latest records, oldest first. */
  readonly list: readonly RecordedRequest[];
  /** Adds a record, and removes the oldest records above the limits. */
  add(call: Call): OpenRecord;
}

/** The estimated maximum size of all records, in bytes. */
const maxBytes = 32 * 1024 * 1024;

/** The memory of each parameter, header, field or entry in addition to its text, in bytes. */
const entryOverhead = 64;

/** @param maxRequests The maximum number of records; `Infinity` keeps all records and removes the memory limit too. */
export function createRequestRecords(maxRequests: number): RequestRecords {
  const list: RecordedRequest[] = [];
  const sizes: number[] = [];
  let bytes = 0;
  return {
    list,
    add(call) {
      const record = recordOf(call);
      list.push(record);
      const size = sizeOf(call);
      sizes.push(size);
      bytes += size;
      while (list.length > maxRequests || (bytes > maxBytes && maxRequests !== Infinity)) {
        list.shift();
        for (const removed of sizes.splice(0, 1)) bytes -= removed;
      }
      return record;
    },
  };
}

function recordOf({ method, url, headers, body }: Call): OpenRecord {
  return {
    method,
    url: url.href,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(headers),
    body: parseBody(headers, body),
    status: null,
  };
}

function parseBody(headers: Headers, body: string): unknown {
  if (body === "") return null;
  if (hasMediaType(headers, "application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(body));
  }
  if (!hasMediaType(headers, "application/json")) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Estimates the size of a record, in bytes. A record contains the URL about three times: as `url`, `path` and `query`. */
function sizeOf({ url, headers, body }: Call): number {
  const fields = [...headers].flat();
  const characters = 3 * url.href.length + body.length + fields.join("").length;
  const entries = (url.search + body).match(/[&,[{]/g) ?? [];
  return 2 * characters + entryOverhead * (entries.length + fields.length);
}
