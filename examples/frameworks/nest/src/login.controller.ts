/**
 * The routes of a login in Nest.
 *
 * @module
 */

import {
  All,
  Controller,
  Req,
  Res,
  VERSION_NEUTRAL,
} from "@nestjs/common";
import {
  type AnyRequest,
  type AnyResponse,
  send,
  webRequest,
} from "./adapter.js";
import { getLogin, loginPaths } from "./login.js";

@Controller({ version: VERSION_NEUTRAL })
export class LoginController {
  @All(loginPaths)
  async handle(
    @Req() req: AnyRequest,
    @Res() res: AnyResponse,
  ): Promise<void> {
    const response = await getLogin().handle(webRequest(req, res));
    await send(
      res,
      response ?? new Response("Not found", { status: 404 }),
    );
  }
}
