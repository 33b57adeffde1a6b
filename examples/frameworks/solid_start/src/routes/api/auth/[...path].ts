/**
 * The API route of a login in SolidStart: `src/routes/api/auth/[...path].ts`.
 *
 * @module
 */

import type { APIEvent } from "@solidjs/start/server";
import { getLogin } from "../../../login.server";

const respond = async ({ request }: APIEvent): Promise<Response> =>
  await getLogin().handle(request) ??
    new Response("Not found", { status: 404 });

export { respond as GET, respond as POST };
