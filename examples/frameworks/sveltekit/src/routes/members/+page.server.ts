/**
 * The data of a SvelteKit page for people who are logged in.
 *
 * @module
 */

import { redirect } from "@sveltejs/kit";
import { getLogin } from "../../login.server";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (
  { request, setHeaders, url },
) => {
  const session = await getLogin().session(request);
  const returnTo = encodeURIComponent(url.pathname + url.search);
  if (!session) redirect(302, `/api/auth/login?returnTo=${returnTo}`);
  setHeaders({ "cache-control": "no-store" });
  return { username: session.user.username };
};
