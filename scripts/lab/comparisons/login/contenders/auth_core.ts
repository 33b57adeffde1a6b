import { Auth } from "@auth/core";
import Discord from "@auth/core/providers/discord";
import type { Handler } from "../browser.ts";
import type { Contender } from "../contender.ts";
import { appSecret, clientId, clientSecret } from "../platform.ts";
import { authJsRoutes } from "./auth_js.ts";

export const contender: Contender = {
  ...authJsRoutes("/auth"),
  createApp(): Handler {
    // Without the issuer, Auth.js refuses every callback (https://github.com/nextauthjs/next-auth/issues/12687).
    const issuer = "https://discord.com";
    const config = {
      basePath: "/auth",
      secret: appSecret,
      trustHost: true,
      providers: [Discord({ clientId, clientSecret, issuer })],
    };
    return (request) => {
      if (new URL(request.url).pathname.startsWith("/auth/")) return Auth(request, config);
      return new Response("Welcome");
    };
  },
};
