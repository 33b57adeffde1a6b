/**
 * An API route of Astro for people who are logged in.
 *
 * @module
 */

import type { APIRoute } from "astro";
import { getLogin } from "../../login.ts";

export const GET: APIRoute = async ({ request }) => {
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
