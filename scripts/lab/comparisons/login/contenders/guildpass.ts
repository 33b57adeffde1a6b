import { Login } from "../../../../../src/login/mod.ts";
import type { Store } from "../../../../../src/stores/store.ts";
import type { Handler } from "../browser.ts";
import { type Contender, redirectTargetOf, usernameAtMe } from "../contender.ts";
import { appSecret as secret, clientId, clientSecret, site } from "../platform.ts";

export function createApp(store?: Store): Handler {
  const login = new Login({ clientId, clientSecret, scope: ["identify"], secret, store });
  return async (request) => {
    const response = await login.handle(request);
    if (response) return response;
    const session = await login.session(request);
    if (new URL(request.url).pathname === "/me") {
      return Response.json(session?.user ?? null, { status: session ? 200 : 401 });
    }
    return new Response("Welcome");
  };
}

export const contender: Contender = {
  callback: "/callback",
  createApp,
  login: { path: "/login" },
  begin: (browser, returnTo = "/") =>
    redirectTargetOf(browser, `/login?returnTo=${encodeURIComponent(returnTo)}`),
  whoAmI: usernameAtMe,
  logout: {
    path: "/logout",
    send: (browser) => browser.open("/logout", { method: "POST", headers: { origin: site } }),
  },
  takesReturnTo: true,
};
