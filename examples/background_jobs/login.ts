/** The login, which the web processes and the nightly job share. @module */

import { Login } from "@guildpass/sdk/login";
import { database } from "./database.ts";
import { clientId, clientSecret, platform, redirectUri, secret } from "./settings.ts";

export const login = new Login({
  clientId,
  clientSecret,
  redirectUri,
  secret,
  platform,
  scope: ["identify", "guilds"],
  store: database.store,
  backgroundTokens: true, // one token for each person, for their sessions and for the job
  afterLogout: "/bye",
  onLogin: ({ user }) => database.addPerson(user.id),
});
