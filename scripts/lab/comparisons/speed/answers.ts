/**
 * The platform's answers to the two requests that are measured.
 *
 * @module
 */

import { token, user } from "./payloads.ts";
import { headers } from "./workers/platform.ts";

const texts: Readonly<Record<string, string>> = {
  "/users/@me": JSON.stringify(user),
  "/oauth2/token": JSON.stringify(token),
};

/** Answers a request for a path. */
export function answer(path: string): Response {
  return new Response(texts[path] ?? null, {
    status: path in texts ? 200 : 404,
    headers,
  });
}
