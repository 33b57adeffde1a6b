/**
 * The route handlers of a login in Next: `app/api/auth/[...path]/route.ts`.
 *
 * @module
 */

import { getLogin } from "@/login";

async function respond(request: Request): Promise<Response> {
  return await getLogin().handle(request) ??
    new Response("Not found", { status: 404 });
}

export { respond as GET, respond as POST };
