/**
 * The pages of a Nest application for everybody.
 *
 * @module
 */

import { Controller, Get, Header, UseFilters } from "@nestjs/common";
import { logIn, memberPage } from "./pages.js";
import { PagesFilter } from "./pages.filter.js";
import { CurrentSession, type Session } from "./session.decorator.js";

@Controller()
@UseFilters(PagesFilter)
export class HomeController {
  @Get()
  @Header("content-type", "text/html; charset=utf-8")
  home(@CurrentSession() session: Session | null): string {
    return session ? memberPage(session) : logIn;
  }

  @Get("bye")
  @Header("content-type", "text/html; charset=utf-8")
  bye(): string {
    return `<p>You are logged out</p>${logIn}`;
  }
}
