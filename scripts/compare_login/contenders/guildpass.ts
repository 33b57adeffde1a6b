import { Login } from "../../../src/login/mod.ts";
import type { Handler } from "../browser.ts";
import { askMe, beginAt, type Contender } from "../contender.ts";
import { appSecret, clientId, clientSecret } from "../platform.ts";

export const contender: Contender = {
  callback: "/callback",
  createApp(): Handler {
    const login = new Login({ clientId, clientSecret, scope: ["identify"], secret: appSecret });
    return async (request) => {
      const answer = await login.handle(request);
      if (answer) return answer;
      const session = await login.session(request);
      if (new URL(request.url).pathname === "/me") {
        return Response.json(session?.user ?? null, { status: session ? 200 : 401 });
      }
      return new Response("Welcome");
    };
  },
  begin: (browser, returnTo = "/") =>
    beginAt(browser, `/login?returnTo=${encodeURIComponent(returnTo)}`),
  whoAmI: askMe,
  takesReturnTo: true,
};
