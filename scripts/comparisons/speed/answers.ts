/**
 * The platform's answers to the two requests that are measured.
 *
 * @module
 */

import { token, user } from "./payloads.ts";

const texts: Readonly<Record<string, string>> = {
  "/users/@me": JSON.stringify(user),
  "/oauth2/token": JSON.stringify(token),
};

/** Answers a request for a path. */
export function answer(path: string): Response {
  return new Response(texts[path] ?? null, {
    status: path in texts ? 200 : 404,
    headers: {
      "content-type": "application/json",
      "x-ratelimit-bucket": "80c17d2f203122d936070c88c8d10f33",
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": "999",
      "x-ratelimit-reset-after": "1.000",
    },
  });
}
