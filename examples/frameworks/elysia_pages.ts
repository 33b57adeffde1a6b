/**
 * The handlers of an Elysia application with a login.
 *
 * @module
 */

import type { Context } from "elysia";
import { getLogin } from "./login.ts";
import { homePage } from "./pages.ts";

const noStore = { "cache-control": "no-store" };
const page = {
  headers: { ...noStore, "content-type": "text/html; charset=utf-8" },
};

export const showHome = async (
  { request }: Context,
): Promise<Response> =>
  new Response(homePage(await getLogin().session(request)), page);

export async function showMembers(
  { request }: Context,
): Promise<Response> {
  const session = await getLogin().session(request);
  return session
    ? new Response(homePage(session), page)
    : await getLogin().start(request);
}

export async function showMe({ request }: Context): Promise<Response> {
  const session = await getLogin().session(request);
  if (session) return Response.json(session.user, { headers: noStore });
  return Response.json({ error: "login_required" }, {
    status: 401,
    headers: noStore,
  });
}
