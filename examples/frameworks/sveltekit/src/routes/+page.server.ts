/**
 * The data of a SvelteKit page with a button to log in or out.
 *
 * @module
 */

import { getLogin } from "../login.server";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async ({ request, setHeaders }) => {
  const session = await getLogin().session(request);
  setHeaders({ "cache-control": "no-store" });
  return { username: session?.user.username };
};
