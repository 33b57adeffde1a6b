/**
 * A session of h3's own, whose middleware runs behind the login. The variable `LOGIN_MIDDLEWARE` turns it on.
 *
 * @module
 */

import { env } from "node:process";
import { countViews } from "../utils/count_views";

export default defineEventHandler(async (event) => {
  if (env.LOGIN_MIDDLEWARE === "before") await countViews(event);
});
