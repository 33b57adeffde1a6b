/**
 * The login of a framework that handles it in one route, `/api/auth/[...path]`. It is created at the first request, because the
 * framework imports this module while it builds the application, without secrets.
 *
 * @module
 */

import { env } from "node:process";
import { Login } from "@guildpass/sdk/login";

const createLogin = () =>
  new Login({
    clientId: env.DISCORD_CLIENT_ID ?? "",
    clientSecret: env.DISCORD_CLIENT_SECRET ?? "",
    scope: ["identify"],
    secret: env.LOGIN_SECRET ?? "",
    redirectUri: env.DISCORD_REDIRECT_URI ?? "",
    loginPath: "/api/auth/login",
    logoutPath: "/api/auth/logout",
    afterLogout: "/bye",
    platform: env.DISCORD_PLATFORM,
  });
let login: ReturnType<typeof createLogin> | undefined;

export const getLogin = (): ReturnType<typeof createLogin> =>
  login ??= createLogin();
