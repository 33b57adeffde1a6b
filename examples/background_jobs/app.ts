/** The pages of the application. @module */

import { parseWebhookEvent, WebhookSignatureError } from "@guildpass/sdk/webhook-events";
import { database } from "./database.ts";
import { login } from "./login.ts";
import { publicKey } from "./settings.ts";

/** Responds to a request. */
export async function respond(request: Request): Promise<Response> {
  const response = await login.handle(request); // /login, /callback, /logout
  if (response) return response;
  const path = `${request.method} ${new URL(request.url).pathname}`;
  if (path === "POST /webhook-events") return await receiveEvent(request);
  if (path === "POST /logout/everywhere") {
    return await login.end(request, { everywhere: true });
  }
  if (path === "GET /bye") return new Response("You are logged out");

  const session = await login.session(request);
  if (!session) return await login.start(request);
  const { id, username } = session.user;
  if (path === "GET /servers") {
    const guilds = await session.api.getUserGuilds();
    return page(
      `<ul>${guilds.map(({ name }) => `<li>${escape(name)}</li>`).join("")}</ul>`,
    );
  }
  const count = await database.loadServerCount(id);
  return page(`<p>Hello, ${escape(username)}.
    Servers last night: ${count ?? "not counted yet"}</p>
    <a href="/servers">Your servers now</a>
    <form method="post" action="/logout"><button>Log out</button></form>
    <form method="post" action="/logout/everywhere"><button>Log out everywhere</button></form>`);
}

/** Forgets a person who removes the application at Discord. */
async function receiveEvent(request: Request): Promise<Response> {
  try {
    const event = await parseWebhookEvent(request, publicKey);
    if (event.type === "APPLICATION_DEAUTHORIZED") {
      const startedBefore = (event.occurred_at ?? Infinity) + 60_000;
      await login.endAll(event.data.user.id, { startedBefore, tokens: true });
    }
  } catch (error) {
    if (error instanceof WebhookSignatureError) {
      return new Response(null, { status: 401 });
    }
    throw error;
  }
  return new Response(null, {
    status: 204,
    headers: { "content-type": "application/json" },
  });
}

function page(html: string): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  };
  return new Response(`<!doctype html><title>Servers</title>${html}`, {
    headers,
  });
}

function escape(text: string): string {
  return text.replaceAll(
    /[&<>"']/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}
