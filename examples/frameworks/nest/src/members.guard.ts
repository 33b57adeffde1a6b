/**
 * A guard of Nest that admits logged-in people only.
 *
 * @module
 */

import type { CanActivate, ExecutionContext } from "@nestjs/common";
import { Injectable, UnauthorizedException } from "@nestjs/common";
import { webRequest } from "./adapter.js";
import { getLogin } from "./login.js";
import { sessionOf } from "./session.decorator.js";

export class LoginRequired extends UnauthorizedException {
  constructor(readonly login: Response) {
    super({ error: "login_required", message: "Log in first" });
  }
}

@Injectable()
export class MembersGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (await sessionOf(context)) return true;
    const [req, res] = context.getArgs();
    throw new LoginRequired(
      await getLogin().start(webRequest(req, res)),
    );
  }
}
