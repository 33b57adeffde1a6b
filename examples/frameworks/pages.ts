/**
 * The pages of an application with a login: the button to log in or out, and the page for errors. The template tag escapes the
 * name.
 *
 * @module
 */

import type { SessionOf } from "@guildpass/sdk/login";
import { htmlEscape } from "escape-goat";
import type { getLogin } from "./login.ts";

export type Session = SessionOf<ReturnType<typeof getLogin>>;

export const homePage = (session: Session | null): string =>
  session
    ? htmlEscape`<form method="post" action="/logout">
  Hello, ${session.user.username} <button>Log out</button>
</form>`
    : `<a href="/login">Log in</a>`;

export const errorPage = "<p>This page does not work at the moment</p>";
