/**
 * The login of an Astro application. It is created at the first request, because Astro imports this module while it builds
 * pages, without secrets.
 *
 * @module
 */

import { getSecret } from "astro:env/server";
import { Login } from "@guildpass/sdk/login";

export const loginPaths = ["/login", "/callback", "/logout"];

const createLogin = () =>
  new Login({
    clientId: getSecret("DISCORD_CLIENT_ID") ?? "",
    clientSecret: getSecret("DISCORD_CLIENT_SECRET") ?? "",
    scope: ["identify"],
    secret: getSecret("LOGIN_SECRET") ?? "",
    redirectUri: getSecret("DISCORD_REDIRECT_URI"),
    afterLogout: "/bye",
    platform: getSecret("DISCORD_PLATFORM"),
  });
let login: ReturnType<typeof createLogin> | undefined;

export const getLogin = (): ReturnType<typeof createLogin> =>
  login ??= createLogin();
