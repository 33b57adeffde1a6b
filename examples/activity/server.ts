/**
 * The server of the Activity. It has the login and the page, and lists the sessions of the person.
 *
 * @module
 */

import { generateState, MemoryStore } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import { type FakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { html } from "../shared/html.ts";
import { ownersTicket, page, picture } from "../shared/page.ts";
import { serveScript } from "../shared/scripts.ts";

/** The scripts of the page. */
const scripts = ["client.ts", "discord_sdk.ts"].map((name) => new URL(name, import.meta.url));

/**
 * Creates the request handler of the server.
 *
 * @param activity The origin of the Activity: `https://<client id>.discordsays.com` at Discord.
 * @param discord The origin of the page with the frame: `https://discord.com`.
 */
export function createServer(
  activity: string,
  discord: string,
  fake: FakePlatform,
): (request: Request) => Promise<Response> {
  const login = new Login({
    clientId: sampleApplication.id,
    clientSecret: sampleApplication.secret,
    scope: ["identify"],
    // The sessions end with the process.
    secret: generateState(),
    store: new MemoryStore(),
    sessionPath: "/session",
    appPath: "/app",
    appOrigins: [activity],
    platform: fake.platform,
    fetch: fake.fetch,
  });

  return async (request) => {
    const response = await login.handle(request); // /app, /session, /logout
    if (response) return response;
    const { pathname } = new URL(request.url);
    if (pathname === "/api/sessions") {
      const session = await login.session(request);
      if (!session) return Response.json({ error: "login_required" }, { status: 401 });
      return Response.json(await login.sessionsOf(session.user.id, request));
    }
    return await serveScript(pathname, ...scripts) ?? activityPage(discord);
  };
}

function activityPage(discord: string): Response {
  return page({
    example: "Activity",
    title: "Activity",
    home: null,
    isNarrow: true,
    script: "/client.ts",
    connect: "'self'",
    framedBy: discord,
    content: html`
      <div id="guest" hidden>${ownersTicket({
        label: "Login",
        picture: picture(null, "?", "large round"),
        name: "Hello",
        text: "You are logged out",
        actions: html`<button class="button" id="login" type="button">Log in</button>`,
      })}</div>
      <div id="member" hidden>${ownersTicket({
        label: "You",
        picture: picture(null, "✓", "large round"),
        name: "",
        text: html`Sessions: <span id="sessions"></span>`,
        actions: html`<button class="button quiet" id="logout" type="button">Log out</button>`,
      })}</div>
      <p class="muted" id="status" role="status"></p>
    `,
  });
}
