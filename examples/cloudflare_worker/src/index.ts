/**
 * A login with Discord on Cloudflare Workers: its routes.
 *
 * @module
 */

import { ApiError, discord, LoginRequiredError } from "@guildpass/sdk";
import { type Env, getLogin } from "./env.ts";
import { endedPage, errorPage, guildsPage, homePage, notFoundPage } from "./pages.ts";

export { StoredEntry } from "@guildpass/sdk/stores/durable-object";

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const work = respond(request, env).catch(errorPage);
    // Without this, a visitor who leaves ends the work, and a new token that is not saved yet is lost.
    context.waitUntil(work);
    const response = await work;
    response.headers.set("strict-transport-security", "max-age=31536000");
    return response;
  },
};

async function respond(request: Request, env: Env): Promise<Response> {
  const { href, pathname } = new URL(request.url);
  if (isInsecure(request)) return redirect(href.replace("http:", "https:"));
  const login = getLogin(env);
  const response = await login.handle(request); // GET /login, GET /callback, POST /logout
  if (response) return response;
  // HEAD gets the response to GET. The runtime removes its body.
  const method = request.method === "HEAD" ? "GET" : request.method;
  switch (`${method} ${pathname}`) {
    case "GET /": {
      const session = await login.session(request); // who this is, or null
      return homePage(session?.user ?? null);
    }
    case "GET /guilds": {
      const session = await login.session(request);
      if (!session) return await login.start(request); // to the consent page, and back here
      const platform = env.PLATFORM ?? discord;
      try {
        const guilds = await session.api.getUserGuilds();
        return guildsPage(session.user, guilds, platform);
      } catch (error) {
        if (!isRefused(error)) throw error;
        // The application decides this, so it is also right if a link on another site led here.
        const ended = await login.end(request, { allowCrossSite: true });
        return endedPage(ended.headers.getSetCookie());
      }
    }
    case "POST /logout/everywhere":
      return await login.end(request, { everywhere: true });
    default:
      return notFoundPage();
  }
}

/** Returns true if the platform refused the token: the person may have removed the application from their account. */
function isRefused(error: unknown): boolean {
  return error instanceof LoginRequiredError ||
    (error instanceof ApiError && error.httpStatus === 401);
}

/** Returns true for plain HTTP from another machine. Workers serve it too, but others can read it. */
function isInsecure(request: Request): boolean {
  const { protocol, hostname } = new URL(request.url);
  return protocol === "http:" && !["localhost", "127.0.0.1"].includes(hostname);
}

function redirect(location: string): Response {
  return new Response(null, { status: 308, headers: { location } });
}
