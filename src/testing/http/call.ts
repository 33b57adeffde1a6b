/**
 * Describes the request that an endpoint or a page gets, and the tables of routes. It also reads the path of an API request.
 *
 * @module
 */

import type { World } from "../world/world.ts";

/** A request, with its body already read. */
export interface Call {
  readonly world: World;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  /** The API version in the path; 10 for paths outside the API. */
  readonly apiVersion: number;
  /** The path parameters, by their name in the route's template. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Responds to a call.
 *
 * @throws {Response} The error response.
 */
export type Handler = (call: Call) => Response | Promise<Response>;

/** The handlers by path template, such as `/guilds/{guild_id}`, and method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** Splits an API path into the version and the rest. Returns `null` for any other path. */
export function readApiPath(pathname: string): { version: number; path: string } | null {
  const [, version, path] = /^\/api(?:\/v(\d+))?(\/.*)$/.exec(pathname) ?? [];
  if (path === undefined) return null;
  return { version: version === undefined ? defaultApiVersion : Number(version), path };
}

/** The API version for a path without a version. */
const defaultApiVersion = 6;
