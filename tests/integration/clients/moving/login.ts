/**
 * The login of docs/frameworks.md beside another one. The name of the library is its path here.
 *
 * @module
 */

import { env } from "node:process";
import { Login } from "../../../../src/login/mod.ts";

export const loginPaths = [
  "/discord/login",
  "/discord/callback",
  "/discord/logout",
];

const createLogin = () =>
  new Login({
    clientId: env.DISCORD_CLIENT_ID ?? "",
    clientSecret: env.DISCORD_CLIENT_SECRET ?? "",
    scope: ["identify"],
    secret: env.LOGIN_SECRET ?? "",
    redirectUri: env.DISCORD_REDIRECT_URI ?? "",
    loginPath: "/discord/login",
    logoutPath: "/discord/logout",
    platform: env.DISCORD_PLATFORM,
  });
let login: ReturnType<typeof createLogin> | undefined;

export const getLogin = (): ReturnType<typeof createLogin> => login ??= createLogin();
