/**
 * The server middleware of Nuxt that handles the requests of a login.
 *
 * @module
 */

import { toRequest } from "@guildpass/sdk/node";
import { getLogin, loginPaths } from "../utils/login";

export default defineEventHandler(async (event) => {
  if (!loginPaths.includes(event.path.replace(/\?.*/, ""))) return;
  // toWebRequest() would take the body away from other handlers.
  return await getLogin().handle(
    toRequest(event.node.req, event.node.res),
  ) ?? undefined;
});
