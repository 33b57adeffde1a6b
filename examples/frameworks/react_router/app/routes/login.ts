/**
 * The React Router route that handles the requests of a login.
 *
 * @module
 */

import { getLogin } from "../login.server";

async function respond(
  { request }: { request: Request },
): Promise<Response> {
  return await getLogin().handle(request) ??
    new Response("Use <a> and <form>, or reloadDocument", {
      status: 404,
    });
}

export { respond as action, respond as loader };
