/**
 * The login that these recipes share. It needs three environment variables, and behind a proxy a fourth. It is created at the
 * first request, so that a missing variable stops the login alone.
 *
 * @module
 */

import { env } from "node:process";
import { Login } from "@guildpass/sdk/login";

export const loginPaths = ["/login", "/callback", "/logout"];

const createLogin = () =>
  new Login({
    clientId: env.DISCORD_CLIENT_ID ?? "",
    clientSecret: env.DISCORD_CLIENT_SECRET ?? "",
    scope: ["identify"],
    secret: env.LOGIN_SECRET ?? "",
    redirectUri: env.DISCORD_REDIRECT_URI,
    afterLogout: "/bye",
    platform: env.DISCORD_PLATFORM,
  });
let login: ReturnType<typeof createLogin> | undefined;

export const getLogin = (): ReturnType<typeof createLogin> =>
  login ??= createLogin();
