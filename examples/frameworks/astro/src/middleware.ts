/**
 * The Astro middleware that handles the requests of a login.
 *
 * @module
 */

import { defineMiddleware } from "astro:middleware";
import { getLogin } from "./login.ts";

export const onRequest = defineMiddleware(async ({ request, isPrerendered }, next) => {
  const answer = isPrerendered ? null : await getLogin().handle(request);
  return answer ?? await next();
});
