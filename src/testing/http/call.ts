/**
 * The request of an endpoint or a page, and the shape of their tables.
 *
 * @module
 */

import type { World } from "../world/world.ts";

/** One request with its body already read. */
export interface Call {
  readonly world: World;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  /** The API version in the path; 10 outside the API. */
  readonly apiVersion: number;
  /** The path segments by their name in the route's template. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Responds to a call.
 *
 * @throws {Response} The error response, from any depth of an endpoint.
 */
export type Handler = (call: Call) => Response | Promise<Response>;

/** The handlers by path template, such as `/guilds/{guild_id}`, and method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** Splits an API path into its version and the rest. Returns `null` for any other path. */
export function readApiPath(pathname: string): { version: number; path: string } | null {
  const [, version, path] = /^\/api(?:\/v(\d+))?(\/.*)$/.exec(pathname) ?? [];
  if (path === undefined) return null;
  return { version: version === undefined ? defaultApiVersion : Number(version), path };
}

/** The API version of a path without one. */
const defaultApiVersion = 6;
