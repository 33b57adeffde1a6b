/**
 * The login that these recipes share. It needs three environment variables, and behind a proxy a fourth.
 *
 * @module
 */

import { env } from "node:process";
import { Login } from "@guildpass/sdk/login";

export const login = new Login({
  clientId: env.DISCORD_CLIENT_ID ?? "",
  clientSecret: env.DISCORD_CLIENT_SECRET ?? "",
  scope: ["identify"],
  secret: env.LOGIN_SECRET ?? "",
  redirectUri: env.DISCORD_REDIRECT_URI,
  afterLogout: "/bye",
  platform: JSON.parse(env.DISCORD_PLATFORM || "null"),
});
