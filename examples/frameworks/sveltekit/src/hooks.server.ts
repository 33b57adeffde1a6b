/**
 * The hook of SvelteKit that answers the requests of a login.
 *
 * @module
 */

import type { Handle } from "@sveltejs/kit";
import { getLogin } from "./login.server.ts";

export const handle: Handle = async ({ event, resolve }) =>
  await getLogin().handle(event.request) ?? await resolve(event);
