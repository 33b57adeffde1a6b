/**
 * A page and an API route of a Nest application for its members. The page begins a login, and the route responds with a 401.
 *
 * @module
 */

import {
  Controller,
  Get,
  Header,
  UseFilters,
  UseGuards,
} from "@nestjs/common";
import { MembersGuard } from "./members.guard.js";
import { memberPage } from "./pages.js";
import { PagesFilter } from "./pages.filter.js";
import { CurrentSession, type Session } from "./session.decorator.js";

@Controller()
@UseGuards(MembersGuard)
export class MembersController {
  @Get("members")
  @UseFilters(PagesFilter)
  @Header("content-type", "text/html; charset=utf-8")
  members(@CurrentSession() session: Session): string {
    return memberPage(session);
  }

  @Get("api/me")
  me(@CurrentSession() { user }: Session): Session["user"] {
    return user;
  }
}
