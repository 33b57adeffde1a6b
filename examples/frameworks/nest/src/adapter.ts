/**
 * Translates the requests and responses of Nest, on Express or on Fastify.
 *
 * @module
 */

import type {
  IncomingRequest,
  OutgoingResponse,
} from "@guildpass/sdk/node";
import { sendResponse, toRequest } from "@guildpass/sdk/node";

type FastifyReply = {
  raw: OutgoingResponse;
  send(response: Response): unknown;
};
export type AnyRequest = IncomingRequest | { raw: IncomingRequest };
export type AnyResponse = OutgoingResponse | FastifyReply;

export const webRequest = (
  req: AnyRequest,
  res: AnyResponse,
): Request =>
  toRequest("raw" in req ? req.raw : req, "raw" in res ? res.raw : res);

export const send = async (
  res: AnyResponse,
  response: Response,
): Promise<unknown> =>
  await ("raw" in res
    ? res.send(response)
    : sendResponse(res, response));
