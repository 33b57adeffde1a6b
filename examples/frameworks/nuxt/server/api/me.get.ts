/**
 * An API route of Nuxt for people who are logged in.
 *
 * @module
 */

import { toRequest } from "@guildpass/sdk/node";
import { getLogin } from "../utils/login";

export default defineEventHandler(async (event) => {
  setResponseHeader(event, "cache-control", "no-store");
  const session = await getLogin().session(
    toRequest(event.node.req, event.node.res),
  );
  if (!session) {
    throw createError({
      statusCode: 401,
      data: { error: "login_required" },
    });
  }
  return session.user;
});
