/**
 * The pages of a Hono application: the button to log in or out, and the page for errors. The template tag escapes the name.
 *
 * @module
 */

import type { Context } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Session } from "./hono_login.ts";

export const homePage = (
  session: Session | null,
): ReturnType<typeof html> =>
  session
    ? html`<form method="post" action="/logout">
  Hello, ${session.user.username} <button>Log out</button>
</form>`
    : html`<a href="/login">Log in</a>`;

export function showError(
  error: Error,
  c: Context,
): Response | Promise<Response> {
  if (error instanceof HTTPException) return error.getResponse();
  console.error(error);
  return c.html("<p>This page does not work at the moment</p>", 500);
}
