/**
 * An API route of React Router for people who are logged in.
 *
 * @module
 */

import { getLogin } from "../login.server";
import type { Route } from "./+types/me";

export async function loader(
  { request }: Route.LoaderArgs,
): Promise<Response> {
  const session = await getLogin().session(request);
  const headers = { "cache-control": "no-store" };
  if (!session) {
    return Response.json({ error: "login_required" }, {
      status: 401,
      headers,
    });
  }
  return Response.json(session.user, { headers });
}
