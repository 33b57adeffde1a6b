/**
 * A login that is created at the first request, for frameworks that import the modules of an application while they build
 * it, without secrets.
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
    platform: JSON.parse(env.DISCORD_PLATFORM || "null"),
  });
let login: ReturnType<typeof createLogin> | undefined;

export const getLogin = (): ReturnType<typeof createLogin> => login ??= createLogin();
