/**
 * A login with Discord on Cloudflare Workers: the addresses, and the function that answers each of them.
 *
 * @module
 */

import { checkEnv, type Env } from "./env.ts";
import { isOwnForm, redirect, secured } from "./http.ts";
import { finishLogin, startLogin } from "./login.ts";
import { showMe } from "./me.ts";
import { homePage } from "./pages.ts";
import { explain, problemResponse } from "./problems.ts";
import { endSession, readSession } from "./session.ts";

interface Route {
  readonly methods: readonly string[];
  readonly handler: (request: Request, env: Env) => Promise<Response>;
}

// No HEAD for a login: a chat or mail program that checks a link must not use up the login.
const routes: ReadonlyMap<string, Route> = new Map([
  ["/", { methods: ["GET", "HEAD"], handler: showHome }],
  ["/login", { methods: ["GET"], handler: startLogin }],
  ["/callback", { methods: ["GET"], handler: finishLogin }],
  ["/me", { methods: ["GET", "HEAD"], handler: showMe }],
  ["/logout", { methods: ["POST"], handler: logOut }],
]);

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    return secured(await answer(request, env));
  },
};

async function answer(request: Request, env: Env): Promise<Response> {
  const { pathname } = new URL(request.url);
  const route = routes.get(pathname);
  if (!route) {
    return problemResponse(request, {
      status: 404,
      title: "There is nothing here",
      text: "The address may be misspelled.",
      next: { href: "/", label: "To the start" },
      retryAfter: null,
    });
  }
  if (!route.methods.includes(request.method)) {
    const allow = route.methods.join(", ");
    return problemResponse(request, {
      status: 405,
      title: "This address can't be used like that",
      text: `It only answers ${allow}.`,
      next: { href: "/", label: "To the start" },
      retryAfter: null,
    }, { allow });
  }
  try {
    checkEnv(env);
    return await route.handler(request, env);
  } catch (error) {
    return problemResponse(request, explain(error, pathname === "/me" ? "/me" : "/login"));
  }
}

async function showHome(request: Request, env: Env): Promise<Response> {
  const session = await readSession(request, env);
  return homePage(session?.user ?? null);
}

async function logOut(request: Request, env: Env): Promise<Response> {
  if (!isOwnForm(request)) {
    return problemResponse(request, {
      status: 403,
      title: "That came from another site",
      text: "You are still logged in. To log out, use the button on this site.",
      next: { href: "/me", label: "Back to your page" },
      retryAfter: null,
    });
  }
  return redirect("/", await endSession(request, env));
}
