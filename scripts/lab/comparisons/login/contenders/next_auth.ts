import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Handler } from "../browser.ts";
import type { Contender } from "../contender.ts";
import { forwardTo, serve } from "../loopback.ts";
import { appSecret, clientId, clientSecret, site } from "../platform.ts";
import type { Project } from "../projects.ts";
import { authJsRoutes } from "./auth_js.ts";

/** The server of Next.js, as a program of one's own starts it. */
interface NextServer {
  prepare(): Promise<void>;
  getRequestHandler(): RequestListener;
}

type CreateServer = (
  options: { readonly dev: boolean; readonly dir: string },
) => NextServer;

/** Creates the contender of an application with Next.js that is built. */
export function nextContender({ folder }: Project): Contender {
  let started: Promise<Handler> | undefined;
  return {
    ...authJsRoutes("/api/auth"),
    createApp: () => started ??= start(folder),
  };
}

async function start(folder: URL): Promise<Handler> {
  Object.assign(process.env, {
    NEXT_TELEMETRY_DISABLED: "1",
    // Both versions read these two.
    NEXTAUTH_URL: site,
    NEXTAUTH_SECRET: appSecret,
    // Version 4 reads these, because its application names them.
    DISCORD_CLIENT_ID: clientId,
    DISCORD_CLIENT_SECRET: clientSecret,
    // Version 5 reads these. Without the issuer, it refuses every callback.
    AUTH_DISCORD_ID: clientId,
    AUTH_DISCORD_SECRET: clientSecret,
    AUTH_DISCORD_ISSUER: "https://discord.com",
    AUTH_TRUST_HOST: "true",
  });
  const createServer: CreateServer = createRequire(new URL("package.json", folder))("next");
  const server = createServer({ dev: false, dir: fileURLToPath(folder) });
  await server.prepare();
  return forwardTo(await serve(server.getRequestHandler()));
}
