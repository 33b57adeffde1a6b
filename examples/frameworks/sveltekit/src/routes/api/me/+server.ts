/**
 * An API route of SvelteKit for people who are logged in.
 *
 * @module
 */

import { getLogin } from "../../../login.server";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = async ({ request }) => {
  const session = await getLogin().session(request);
  const headers = { "cache-control": "no-store" };
  if (!session) {
    return Response.json({ error: "login_required" }, {
      status: 401,
      headers,
    });
  }
  return Response.json(session.user, { headers });
};
