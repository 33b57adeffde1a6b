/**
 * An exception filter for pages in Nest. It begins a login if one is required, and shows a page about other errors.
 *
 * @module
 */

import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
} from "@nestjs/common";
import { send } from "./adapter.js";
import { LoginRequired } from "./members.guard.js";

@Catch()
export class PagesFilter implements ExceptionFilter {
  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const res = host.switchToHttp().getResponse();
    if (error instanceof LoginRequired) {
      return void await send(res, error.login);
    }
    const status = error instanceof HttpException
      ? error.getStatus()
      : 500;
    if (status >= 500) console.error(error);
    const page = `<p>This page does not work at the moment</p>
<a href="/">To the start page</a>`;
    await send(
      res,
      new Response(page, {
        status,
        headers: { "content-type": "text/html" },
      }),
    );
  }
}
