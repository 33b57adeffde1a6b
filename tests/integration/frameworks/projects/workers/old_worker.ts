/**
 * A Worker without the flag `nodejs_compat`, as it may have been deployed for years. It creates the login at the first request
 * that needs it, keeps it, and returns the text of an error.
 *
 * @module
 */

import { Login } from "@guildpass/sdk/login";

export default {
  async fetch(request: Request, env: Readonly<Record<string, string>>): Promise<Response> {
    if (new URL(request.url).pathname === "/about") return new Response("About this site");
    return await respond(request, env).catch((error) =>
      new Response(String(error), { status: 500 })
    );
  },
};

let login: Login | undefined;

async function respond(request: Request, env: Readonly<Record<string, string>>): Promise<Response> {
  login ??= new Login({
    clientId: env.DISCORD_CLIENT_ID ?? "",
    clientSecret: env.DISCORD_CLIENT_SECRET ?? "",
    scope: ["identify"],
    secret: env.LOGIN_SECRET ?? "",
    redirectUri: env.DISCORD_REDIRECT_URI,
    platform: JSON.parse(env.DISCORD_PLATFORM ?? ""),
  });
  const response = await login.handle(request);
  if (response) return response;
  const session = await login.session(request);
  return session ? new Response(`Hello, ${session.user.username}`) : await login.start(request);
}
