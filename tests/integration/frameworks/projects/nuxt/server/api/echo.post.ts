/**
 * A route that reads the body of a form after it has asked for the session.
 *
 * @module
 */

import { setTimeout } from "node:timers/promises";
import { toRequest } from "@guildpass/sdk/node";
import { getLogin } from "../utils/login";

export default defineEventHandler(async (event) => {
  await getLogin().session(toRequest(event.node.req, event.node.res));
  // As long as a store may take. The body arrives meanwhile.
  await setTimeout(100);
  return (await readBody(event)).text;
});
