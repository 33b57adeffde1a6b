/**
 * Records the requests that reached the fake platform.
 *
 * @module
 */

import type { Call } from "./http/call.ts";
import { hasMediaType } from "./http/parameters.ts";

/** A request that reached the fake platform, with its secrets in clear. */
export interface RecordedRequest {
  /** The method, in capitals. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The path of the URL. */
  readonly path: string;
  /** The query parameters. A repeated one has its last value. */
  readonly query: Readonly<Record<string, string>>;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body: an object of strings for a form, the value for JSON, the text for anything else, `null` if
   * there is none, or it was too long.
   */
  readonly body: unknown;
  /** The status of the response; `null` until it is sent, and if the connection was cut instead. */
  readonly status: number | null;
}

/** A record that can still change. */
export type OpenRecord = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** The records of one fake platform. */
export interface RequestRecords {
  /** The latest records, oldest first. */
  readonly list: readonly RecordedRequest[];
  /** Adds a record, and removes the oldest ones if there are too many. */
  add(call: Call): OpenRecord;
}

/** The most memory that the records take, in bytes. It is an estimate. */
const maxBytes = 32 * 1024 * 1024;

/** The memory that each parameter, header, field or entry takes beside its text, in bytes. */
const entryOverhead = 64;

/** @param maxRequests The most records; `Infinity` keeps all, however much memory they take. */
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

/** Returns the memory that a record takes, about. The URL is there three times, in parts. */
function sizeOf({ url, headers, body }: Call): number {
  const fields = [...headers].flat();
  const characters = 3 * url.href.length + body.length + fields.join("").length;
  const entries = (url.search + body).match(/[&,[{]/g) ?? [];
  return 2 * characters + entryOverhead * (entries.length + fields.length);
}
