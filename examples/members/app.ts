/**
 * A page for the members of a server: they log in, and see their roles. Whoever leaves the server is logged out within a minute.
 *
 * @module
 */

import type { ClientOptions, Store } from "@guildpass/sdk";
import { Login } from "@guildpass/sdk/login";
import { html } from "../shared/html.ts";
import { page } from "../shared/page.ts";

/** The settings of the application. */
export interface Settings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly secret: string;
  readonly redirectUri: string;
  /** The id of the server. */
  readonly guildId: string;
  readonly store: Store;
  /** The platform, if it is not Discord. */
  readonly client: ClientOptions;
}

/** Creates the application. */
export function createApp(
  { guildId, client, ...settings }: Settings,
): (request: Request) => Promise<Response> {
  const login = new Login({
    ...settings,
    ...client,
    scope: ["identify", "guilds.members.read"],
    members: { guildId, checkedFor: 60 },
    afterLogout: "/bye",
  });

  return async function respond(request: Request): Promise<Response> {
    const response = await login.handle(request);
    if (response) return response;
    if (new URL(request.url).pathname === "/bye") {
      const content = html`
        <h1>You are logged out</h1>
        <p class="actions"><a class="button" href="/">Log in again</a></p>
      `;
      return page({ example: "members", title: "Logged out", isNarrow: true, content });
    }
    const session = await login.session(request);
    if (!session) return await login.start(request);
    const { user: { username }, member: { nick, roles, joined_at: joinedAt } } = session;
    const content = html`
      <h1>Welcome to the club, ${nick ?? username}</h1>
      <p>You joined on ${joinedAt?.slice(0, 10) ?? "an unknown day"} and have ${roles
        .length} roles.</p>
      <form method="post" action="/logout"><button>Log out</button></form>
    `;
    return page({ example: "members", title: "Members only", isNarrow: true, content });
  };
}
