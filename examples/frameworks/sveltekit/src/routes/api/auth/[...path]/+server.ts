/**
 * The route handlers of a login in SvelteKit: `src/routes/api/auth/[...path]/+server.ts`.
 *
 * @module
 */

import { getLogin } from "../../../../login.server";
import type { RequestHandler } from "./$types";

const respond: RequestHandler = async ({ request }) =>
  await getLogin().handle(request) ??
    new Response("Not found", { status: 404 });

export { respond as GET, respond as POST };
