/**
 * The root of the application, with a session of React Router's own. The variable `LOGIN_MIDDLEWARE` adds the login as a middleware,
 * before or behind that session.
 *
 * @module
 */

import { env } from "node:process";
import type { ReactNode } from "react";
import {
  createCookieSessionStorage,
  Links,
  type MiddlewareFunction,
  Outlet,
  Scripts,
} from "react-router";
import { getLogin } from "./login.server";

const { getSession, commitSession } = createCookieSessionStorage({
  cookie: { name: "views", secrets: ["a key for a test"] },
});

const countViews: MiddlewareFunction<Response> = async ({ request }, next) => {
  const session = await getSession(request.headers.get("cookie"));
  session.set("views", Number(session.get("views") ?? 0) + 1);
  const response = await next();
  response.headers.append("set-cookie", await commitSession(session));
  response.headers.append("x-views", session.get("views"));
  return response;
};

const handleLogin: MiddlewareFunction<Response> = async ({ request }, next) =>
  await getLogin().handle(request) ?? await next();

const orders = new Map([
  ["before", [handleLogin, countViews]],
  ["behind", [countViews, handleLogin]],
]);

export const middleware = orders.get(env.LOGIN_MIDDLEWARE ?? "") ?? [];

export function Layout({ children }: { children: ReactNode }): ReactNode {
  return (
    <html lang="en">
      <head>
        <title>Test</title>
        <Links />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  );
}

export default function Root(): ReactNode {
  return <Outlet />;
}
