/**
 * The page at the root of the platform: its applications, its people, and the latest requests.
 *
 * @module
 */

import { randomText } from "../../core/base64url.ts";
import type { Call, Routes } from "../http/call.ts";
import type { RecordedRequest } from "../recorded_requests.ts";
import { safePath } from "../safe_path.ts";
import { eventKey } from "../webhook_events.ts";
import type { Application } from "../world/application.ts";
import { isLoopback } from "../world/origin.ts";
import { platformOf } from "../world/platform.ts";
import { sampleApplication } from "../world/samples.ts";
import type { World } from "../world/world.ts";
import { avatar, image, nameHtml, userName } from "./names.ts";
import { escapeHtml, htmlPage } from "./page.ts";

/** Returns the route of the index page. */
export function indexRoutes(requests: readonly RecordedRequest[]): Routes {
  return { "/": { GET: (call) => indexPage(call, requests) } };
}

async function indexPage(call: Call, requests: readonly RecordedRequest[]): Promise<Response> {
  const { world } = call;
  const applications = [...world.applications.values()].map((application) =>
    applicationSection(call, application)
  );
  return htmlPage(
    "Fake platform",
    `<header><h1>Fake platform <span>Nothing here is real, and every login works without a password</span></h1></header>
<h2>Applications</h2>
${(await Promise.all(applications)).join("\n")}
<h2>People</h2>
<ul class="people">
${[...world.users.values()].map((user) => `<li>${avatar(user)}${userName(user)}</li>`).join("\n")}
</ul>
<h2>Latest requests</h2>
${requestTable(world, requests)}
<p><a href="/">Reload</a> · <a href="/activate">Connect a device</a></p>`,
    { isWide: true },
  );
}

async function applicationSection(call: Call, application: Application): Promise<string> {
  const { id, icon, name, redirectUris } = application;
  const uris = redirectUris
    .map((uri) => `<li><code>${escapeHtml(withoutCredentials(uri))}</code></li>`).join("");
  return `<section aria-labelledby="app-${id}">
<div class="title">${image("app-icons", id, icon, name)}<h3 id="app-${id}">${
    nameHtml(name)
  }</h3></div>
<p>To use this platform, put these lines in <code>.env</code>, and pass
<code>platform: env.DISCORD_PLATFORM</code> to <code>Login</code>:</p>
<pre><code>${escapeHtml((await environmentOf(call, application)).join("\n"))}</code></pre>
<p>Redirect URIs:</p>
${uris === "" ? "<p>None</p>" : `<ul>${uris}</ul>`}
<p><a href="/oauth2/authorize?client_id=${id}">Add ${nameHtml(name)} to a server</a></p>
</section>`;
}

/** Removes the user and the password from a redirect URI, which can be a pattern. */
function withoutCredentials(uri: string): string {
  return uri.replace(/^([^\\/?:]*:[\\/]*)[^\\/?]*@/, "$1");
}

/** Returns the lines of a file with environment variables. */
async function environmentOf(call: Call, application: Application): Promise<string[]> {
  const { world } = call;
  const { id, secret, botToken } = application;
  return [
    `DISCORD_CLIENT_ID=${id}`,
    ...secretLine(call, "DISCORD_CLIENT_SECRET", secret, sampleApplication.secret),
    ...secretLine(call, "DISCORD_BOT_TOKEN", botToken, sampleApplication.botToken),
    // A new one for each view, since a secret that several people have protects nothing.
    `LOGIN_SECRET=${randomText()}`,
    `DISCORD_PUBLIC_KEY=${(await eventKey(world, application)).publicKey}`,
    `DISCORD_PLATFORM='${JSON.stringify(platformOf(world))}'`,
  ];
}

/**
 * Returns the line of a secret. Only the secrets of the sample application are shown, and only on this machine: a secret from a
 * config file may be real.
 */
function secretLine(call: Call, variable: string, secret: string | null, sample: string): string[] {
  if (secret === null) return [];
  if (secret !== sample) return [`# ${variable} is in your configuration`];
  return [
    isOnThisMachine(call) ? `${variable}=${secret}` : `# ${variable} is only shown on localhost`,
  ];
}

/** Returns true if the browser shows the page under a name of this machine. */
function isOnThisMachine({ url, headers }: Call): boolean {
  const host = headers.get("host") ?? url.host;
  const named = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  return isLoopback(url.hostname) && isLoopback(named);
}

/** The number of requests on the page. */
const maxRows = 20;

function requestTable(world: World, requests: readonly RecordedRequest[]): string {
  // Without the requests of this page.
  const shown = requests.filter(({ path }) => path !== "/" && !path.startsWith("/cdn/"))
    .slice(-maxRows).reverse();
  if (shown.length === 0) return "<p>None yet.</p>";
  const secrets = [...world.applications.values()].flatMap(({ secret, botToken }) =>
    [secret, botToken].filter((one) => one !== null)
  );
  const rows = shown.map(({ method, path, status }) =>
    `<tr><td>${escapeHtml(method)}</td><td class="path">${
      escapeHtml(safePath(path, secrets))
    }</td><td>${status ?? "no response"}</td></tr>`
  );
  return `<table>
<thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Status</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}
