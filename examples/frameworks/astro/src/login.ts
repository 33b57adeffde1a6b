/**
 * The login of an application on Astro.
 *
 * @module
 */

import { getSecret } from "astro:env/server";
import { Login } from "@guildpass/sdk/login";

export const login = new Login({
  clientId: getSecret("DISCORD_CLIENT_ID") ?? "",
  clientSecret: getSecret("DISCORD_CLIENT_SECRET") ?? "",
  scope: ["identify"],
  secret: getSecret("LOGIN_SECRET") ?? "",
  redirectUri: getSecret("DISCORD_REDIRECT_URI"),
});
