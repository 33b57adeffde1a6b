/**
 * The middleware of Astro that answers the requests of a login.
 *
 * @module
 */

import { defineMiddleware } from "astro:middleware";
import { login } from "./login.ts";

export const onRequest = defineMiddleware(async ({ request }, next) =>
  await login.handle(request) ?? await next()
);
