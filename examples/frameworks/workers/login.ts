/**
 * The login of a Worker with a database in D1, which keeps a token of each person for the nightly job.
 *
 * @module
 */

import { env } from "cloudflare:workers";
import { Login } from "@guildpass/sdk/login";
import { d1Store } from "@guildpass/sdk/stores/d1";
import { addPerson } from "./people.ts";

const createLogin = () =>
  new Login({
    clientId: env.DISCORD_CLIENT_ID,
    clientSecret: env.DISCORD_CLIENT_SECRET,
    scope: ["identify", "guilds"],
    secret: env.LOGIN_SECRET,
    store: d1Store(env.DB),
    backgroundTokens: true,
    onLogin: ({ user }) => addPerson(user.id),
    afterLogout: "/bye",
    platform: env.DISCORD_PLATFORM,
  });
let login: ReturnType<typeof createLogin> | undefined;

export const getLogin = (): ReturnType<typeof createLogin> =>
  login ??= createLogin();
