/**
 * The parts of the pages of a Nest application: the buttons to log in and out.
 *
 * @module
 */

import type { Session } from "./session.decorator.js";

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export const logIn = `<a href="/login">Log in</a>`;

export const memberPage = ({ user }: Session): string =>
  `<p>Hello, ${escape(user.username)}</p>
<form method="post" action="/logout"><button>Log out</button></form>`;
