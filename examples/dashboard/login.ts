/** The settings of the dashboard, its login, and the data of a session. @module */

import { type ClientOptions, MemoryStore } from "@guildpass/sdk";
import { Login, type SessionOf } from "@guildpass/sdk/login";
import { browserOf } from "./devices.ts";

/** The settings. `main.ts` reads them from the environment. */
export interface Settings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly botToken: string;
  readonly publicKey: string;
  readonly secret: string;
  readonly redirectUri: string;
  /** The options of every request to Discord: a test passes those of the fake platform. */
  readonly client: Pick<ClientOptions, "fetch" | "platform">;
}

/** The data of a session. */
export interface Visitor {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string;
  /** True to list only the guilds that the person manages. */
  readonly onlyManaged: boolean;
}

/** Creates the login of the dashboard. It calls `botAdded` after a visitor has added the bot to a guild. */
// deno-lint-ignore explicit-module-boundary-types
export function createLogin(settings: Settings, botAdded: () => Promise<unknown>) {
  const { clientId, clientSecret, secret, redirectUri, client } = settings;
  return new Login({
    ...client,
    clientId,
    clientSecret,
    secret,
    redirectUri,
    onLogin: async ({ guildId }) => void (guildId && await botAdded().catch(console.error)),
    scope: ["identify", "guilds"],
    store: new MemoryStore(), // or sqliteStore(new DatabaseSync("sessions.sqlite"))
    backgroundTokens: true,
    sessionLabel: browserOf,
    sessionPath: "/session",
    sessionUser({ id, username, global_name, avatar_url: avatarUrl }, { session }): Visitor {
      const before = session?.user as Visitor | undefined;
      const onlyManaged = before?.onlyManaged === true;
      return { id, name: global_name ?? username, avatarUrl, onlyManaged };
    },
    publicUser: ({ name }) => ({ name }),
  });
}

/** The session of a logged-in person. */
export type Session = SessionOf<ReturnType<typeof createLogin>>;
