/**
 * An API route of Next for people who are logged in.
 *
 * @module
 */

import { connection } from "next/server";
import { getLogin } from "@/login";

export async function GET(request: Request): Promise<Response> {
  // First: a build without secrets ends here.
  await connection();
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
