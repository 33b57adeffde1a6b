/**
 * A session of h3's own, whose middleware runs before the login. The variable `LOGIN_MIDDLEWARE` turns it on.
 *
 * @module
 */

import { env } from "node:process";
import { countViews } from "../utils/count_views";

export default defineEventHandler(async (event) => {
  if (env.LOGIN_MIDDLEWARE === "behind") await countViews(event);
});
