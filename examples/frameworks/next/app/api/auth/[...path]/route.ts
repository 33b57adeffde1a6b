/**
 * The route handlers of a login in Next: `app/api/auth/[...path]/route.ts`.
 *
 * @module
 */

import { getLogin } from "@/login";

async function answer(request: Request): Promise<Response> {
  return await getLogin().handle(request) ?? new Response("Not found", { status: 404 });
}

export { answer as GET, answer as POST };
