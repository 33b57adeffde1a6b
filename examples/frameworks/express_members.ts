/**
 * A middleware for Express that admits logged-in people only.
 *
 * @module
 */

import type { SessionOf } from "@guildpass/sdk/login";
import { sendResponse, toRequest } from "@guildpass/sdk/node";
import type { NextFunction, Request, Response } from "express";
import { getLogin } from "./login.ts";

export async function members(
  req: Request,
  res: Response,
  next: NextFunction,
): Promise<void> {
  const request = toRequest(req, res);
  const session = await getLogin().session(request);
  if (!session) {
    return await sendResponse(res, await getLogin().start(request));
  }
  res.set("cache-control", "no-store").locals.session = session;
  next();
}

export const sessionOf = (
  res: Response,
): SessionOf<ReturnType<typeof getLogin>> => res.locals.session;
