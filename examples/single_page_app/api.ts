/**
 * The API: it has the login, and a color for each person.
 *
 * @module
 */

import { generateState } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import { type FakePlatform, sampleApplication } from "../../src/testing/mod.ts";

/** Creates the request handler of the API at one origin, for a single-page application at another. It also serves the platform. */
export function createApi(
  origin: string,
  frontend: string,
  fake: FakePlatform,
): (request: Request) => Promise<Response> {
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    // A random secret ends all sessions with the process.
    secret: generateState(),
    redirectUri: `${origin}/callback`,
    frontends: [frontend],
    sessionPath: "/session",
    platform: fake.platform,
    fetch: fake.fetch,
  });
  const headers = {
    "access-control-allow-origin": frontend,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "GET, PUT",
    "cache-control": "no-store",
  };
  const colors = new Map<string, string>();

  return async (request) => {
    const response = await login.handle(request); // /login, /callback, /logout, /session
    if (response) return response;
    const { pathname } = new URL(request.url);
    if (pathname === "/") return Response.redirect(frontend);
    if (/^\/(oauth2|api|cdn)\//.test(pathname)) return await fake.fetch(request);
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers });
    const session = await login.session(request);
    if (!session) return Response.json({ error: "login_required" }, { status: 401, headers });
    const { id } = session.user;
    if (request.method === "PUT") {
      if (!login.allows(request)) return new Response("Forbidden", { status: 403 });
      colors.set(id, await request.text());
    }
    return new Response(colors.get(id) ?? "", { headers });
  };
}
