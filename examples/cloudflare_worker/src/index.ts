/**
 * A login with Discord on Cloudflare Workers: the addresses, and what is answered there.
 *
 * @module
 */

import { discord, User } from "@guildpass/sdk";
import { createLogin, type Env } from "./env.ts";
import { errorPage, guildsPage, homePage, notFoundPage } from "./pages.ts";

export { StoredEntry } from "./store.ts";

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const response = await answer(request, env).catch(errorPage);
    response.headers.set("strict-transport-security", "max-age=31536000");
    return response;
  },
};

async function answer(request: Request, env: Env): Promise<Response> {
  const { href, pathname } = new URL(request.url);
  if (isInsecure(request)) return redirect(href.replace("http:", "https:"));
  const login = createLogin(env);
  const answer = await login.handle(request); // GET /login, GET /callback, POST /logout
  if (answer) return answer;
  // What answers GET answers HEAD too: the runtime leaves the body out.
  const method = request.method === "HEAD" ? "GET" : request.method;
  switch (`${method} ${pathname}`) {
    case "GET /": {
      const session = await login.session(request); // who this is, or null
      return homePage(session?.user ?? null);
    }
    case "GET /guilds": {
      const session = await login.session(request);
      if (!session) return await login.start(request); // to the consent page, and back here afterwards
      const platform = env.PLATFORM ?? discord;
      const guilds = await new User(session.token, { platform }).getUserGuilds();
      return guildsPage(session.user, guilds, platform);
    }
    case "POST /logout/everywhere":
      return await login.end(request, { everywhere: true });
    default:
      return notFoundPage();
  }
}

/** Workers answer plain HTTP too, over which everybody on the way could read along. On this machine nobody can. */
function isInsecure(request: Request): boolean {
  const { protocol, hostname } = new URL(request.url);
  return protocol === "http:" && !["localhost", "127.0.0.1"].includes(hostname);
}

function redirect(location: string): Response {
  return new Response(null, { status: 308, headers: { location } });
}
