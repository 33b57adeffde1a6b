/**
 * Plays Discord on this machine: the page with the Activity in a frame, the proxy in front of the Activity's server, and the fake platform.
 *
 * @module
 */

import { type FakePlatform, sampleUsers } from "../../src/testing/mod.ts";
import { html } from "../shared/html.ts";
import { page } from "../shared/page.ts";
import { serveScript } from "../shared/scripts.ts";

/**
 * Creates the request handler of Discord.
 *
 * @param activity The origin of the Activity, which is another site, so that browsers treat the frame as they do at Discord.
 */
export function createDiscord(
  activity: string,
  fake: FakePlatform,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (/^\/(oauth2|api|cdn)\//.test(pathname)) return await fake.fetch(request);
    if (pathname === "/authorize") return await authorize(request, fake);
    return await serveScript(pathname, new URL("discord_page.ts", import.meta.url)) ??
      discordPage(activity);
  };
}

/** Creates the request handler of the origin of the Activity, whose URL mapping sends all paths to one server. */
export function createProxy(server: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    return await fetch(new Request(new URL(pathname + search, server), request), {
      redirect: "manual",
    });
  };
}

/** Consents as a person to the request of the Activity. */
async function authorize(request: Request, fake: FakePlatform): Promise<Response> {
  const { args, as } = await request.json();
  try {
    return Response.json(await fake.authorizeActivity(args, { as }));
  } catch (error) {
    return Response.json({ error: Object(error).message }, { status: 400 });
  }
}

function discordPage(activity: string): Response {
  return page({
    example: "Discord, played on this machine",
    title: "Discord",
    home: null,
    script: "/discord_page.ts",
    connect: "'self'",
    frames: activity,
    content: html`
      <form class="actions">
        <label>You are <select id="person">
          ${sampleUsers.map(({ username }) => html`<option>${username}</option>`)}
        </select></label>
        <button class="button quiet small" id="reopen" type="button">Open the Activity again</button>
      </form>
      <iframe id="activity" title="The Activity" src="${activity}" width="100%"
        height="500"></iframe>
      <dialog id="consent" aria-label="Consent">
        <form class="stack" method="dialog">
          <p>The Activity wants: <strong id="scopes"></strong></p>
          <div class="actions">
            <button class="button" value="authorize">Authorize</button>
            <button class="button quiet" value="cancel">Cancel</button>
          </div>
        </form>
      </dialog>
    `,
  });
}
