/**
 * An API route of TanStack Start for people who are logged in.
 *
 * @module
 */

import { createFileRoute } from "@tanstack/react-router";
import { getLogin } from "../../login.server";

async function respond(
  { request }: { request: Request },
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

export const Route = createFileRoute("/api/me")({
  server: { handlers: { GET: respond } },
});
