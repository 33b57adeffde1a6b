/**
 * An API route of SolidStart for people who are logged in.
 *
 * @module
 */

import type { APIEvent } from "@solidjs/start/server";
import { getLogin } from "../../login.server";

export async function GET({ request }: APIEvent): Promise<Response> {
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
