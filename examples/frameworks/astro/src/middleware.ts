/**
 * The Astro middleware that handles the requests of a login.
 *
 * @module
 */

import { defineMiddleware } from "astro:middleware";
import { getLogin, loginPaths } from "./login.ts";

export const onRequest = defineMiddleware(
  async ({ request, url }, next) => {
    const response = loginPaths.includes(url.pathname)
      ? await getLogin().handle(request)
      : null;
    return response ?? await next();
  },
);
