/**
 * The server of the single-page application. It does not know the person: the script in the page asks the API.
 *
 * @module
 */

import { html } from "../shared/html.ts";
import { ownersTicket, page, picture } from "../shared/page.ts";
import { serveScript } from "../shared/scripts.ts";

/** Serves the single-page application: each script at its path, and the page at all others. */
export async function serveFrontend(request: Request, api: string): Promise<Response> {
  // An invalid Host header leaves no path.
  const pathname = URL.parse(request.url)?.pathname ?? "";
  return await serveScript(pathname, new URL("client.ts", import.meta.url)) ?? appPage(api);
}

function appPage(api: string): Response {
  return page({
    example: "single-page app",
    title: "Single-page app",
    isNarrow: true,
    script: "/client.ts",
    connect: api,
    links: html`
      <a class="button quiet small" href="/">Start</a> <a
        class="button quiet small" href="/color">Color</a>
    `,
    content: html`
      <div id="guest" hidden>${ownersTicket({
        label: "Login",
        picture: picture(null, "?", "large round"),
        name: "Hello",
        text: "The login comes back to this page",
        actions: html`<a class="button" id="login" href="${api}/login">Log in with Discord</a>`,
      })}</div>
      <div id="member" hidden>${ownersTicket({
        label: "You",
        picture: picture(null, "", "large round"),
        name: "",
        text: "The API knows you by the cookie of your session",
        actions: html`<button class="button quiet" id="logout" type="button">Log out</button>`,
      })}</div>
      <section class="card stack" id="failure" role="alert" hidden>
        <h1>The API does not respond</h1>
        <p class="lead">You may be offline, or the API has a problem.</p>
        <p class="actions"><button class="button" id="retry" type="button">Try again</button></p>
      </section>
      <form class="card stack" id="form" hidden>
        <h2><label for="color">Your favorite color</label></h2>
        <div class="search">
          <input id="color" name="color" autocomplete="off" maxlength="40" required>
          <button class="button">Save</button>
        </div>
      </form>
      <p class="note">This page has the origin <code id="origin"></code>, and its API with the login
        <code>${api}</code>. The option <code>frontends</code> lets them work together.</p>
      <p class="muted" id="status" role="status"></p>
    `,
  });
}
