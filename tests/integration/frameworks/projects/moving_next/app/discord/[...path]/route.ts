/**
 * The login, whose logout also ends the session of NextAuth.js.
 *
 * @module
 */

import { handle } from "@/either";

async function respond(request: Request): Promise<Response> {
  return await handle(request) ??
    new Response("Not found", { status: 404 });
}

export { respond as GET, respond as POST };
