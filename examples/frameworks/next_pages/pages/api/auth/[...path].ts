/**
 * The API route of a login in Next's Pages Router: `pages/api/auth/[...path].ts`.
 *
 * @module
 */

import { sendResponse, toRequest } from "@guildpass/sdk/node";
import type { NextApiRequest, NextApiResponse } from "next";
import { getLogin } from "@/login";

export default async function respond(
  req: NextApiRequest,
  res: NextApiResponse,
): Promise<void> {
  const response = await getLogin().handle(toRequest(req, res));
  await sendResponse(
    res,
    response ?? new Response("Not found", { status: 404 }),
  );
}
