/**
 * The login of an application on Astro, which imports it while it builds pages, when no secret is there yet.
 *
 * @module
 */

import { getSecret } from "astro:env/server";
import { Login } from "@guildpass/sdk/login";

const createLogin = () =>
  new Login({
    clientId: getSecret("DISCORD_CLIENT_ID") ?? "",
    clientSecret: getSecret("DISCORD_CLIENT_SECRET") ?? "",
    scope: ["identify"],
    secret: getSecret("LOGIN_SECRET") ?? "",
    redirectUri: getSecret("DISCORD_REDIRECT_URI"),
  });
let login: ReturnType<typeof createLogin> | undefined;

export const getLogin = (): ReturnType<typeof createLogin> => login ??= createLogin();
