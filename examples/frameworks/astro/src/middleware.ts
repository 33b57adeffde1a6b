/**
 * The Astro middleware that handles the requests of a login.
 *
 * @module
 */

import { defineMiddleware } from "astro:middleware";
import { getLogin } from "./login.ts";

export const onRequest = defineMiddleware(async ({ request, isPrerendered }, next) => {
  const response = isPrerendered ? null : await getLogin().handle(request);
  return response ?? await next();
});
