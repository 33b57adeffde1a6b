/**
 * The hook of SvelteKit that answers the requests of a login.
 *
 * @module
 */

import { sequence } from "@sveltejs/kit/hooks";
import { getLogin } from "./login.server";

export const handle = sequence(
  async ({ event, resolve }) => await getLogin().handle(event.request) ?? await resolve(event),
);
