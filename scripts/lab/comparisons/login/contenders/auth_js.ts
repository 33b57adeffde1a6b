import type { Browser } from "../browser.ts";
import type { Contender } from "../contender.ts";

/** Returns the routes that every package of Auth.js has, as its client calls them. */
export function authJsRoutes(base: string): Omit<Contender, "createApp"> {
  const signIn = `${base}/signin/discord`;
  const signOut = `${base}/signout`;
  const post = async (
    browser: Browser,
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<Response> => {
    const { csrfToken } = await (await browser.open(`${base}/csrf`)).json();
    return await browser.open(path, {
      method: "POST",
      body: new URLSearchParams({ csrfToken, ...fields }),
    });
  };
  return {
    callback: `${base}/callback/discord`,
    login: { path: signIn },
    async begin(browser, returnTo = "/") {
      const response = await post(browser, signIn, { callbackUrl: returnTo });
      return response.headers.get("location");
    },
    async whoAmI(browser) {
      const session = await (await browser.open(`${base}/session`)).json();
      return session?.user?.name ?? null;
    },
    logout: { path: signOut, send: (browser) => post(browser, signOut, {}) },
    takesReturnTo: true,
  };
}
