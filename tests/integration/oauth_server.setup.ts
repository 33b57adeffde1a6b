/**
 * Runs oidc-provider, a certified OAuth server, on a free port of this machine during the tests.
 *
 * @module
 */

import { generateKeyPair, randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import {
  basicClient,
  deviceGrantType,
  formClient,
  paths,
  publicClient,
  redirectUri,
} from "../support/oauth_clients.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The origin of the OAuth server. */
    readonly oauthServer: string;
  }
}

/** The used part of oidc-provider. It has no types. */
interface OidcProvider {
  callback(): RequestListener;
}
interface Page {
  body: string;
}
interface Owned {
  readonly clientId: string;
}
interface OidcProviderModule {
  readonly Provider: new (issuer: string, configuration: object) => OidcProvider;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  listener = (await createProvider(origin)).callback();
  project.provide("oauthServer", origin);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

async function createProvider(issuer: string): Promise<OidcProvider> {
  const unmute = muteExpectedWarnings();
  try {
    const { Provider } = await import("oidc-provider") as OidcProviderModule;
    return new Provider(issuer, await configuration());
  } finally {
    unmute();
  }
}

async function configuration(): Promise<object> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const client = {
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token", deviceGrantType],
  };
  return {
    clients: [
      {
        ...client,
        grant_types: [...client.grant_types, "client_credentials"],
        client_id: basicClient.id,
        client_secret: basicClient.secret,
      },
      {
        ...client,
        client_id: formClient.id,
        client_secret: formClient.secret,
        token_endpoint_auth_method: "client_secret_post",
      },
      { ...client, client_id: publicClient.id, token_endpoint_auth_method: "none" },
    ],
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      revocation: paths.revoke,
      device_authorization: paths.device,
      code_verification: paths.activate,
      jwks: paths.keys,
      userinfo: paths.userinfo,
    },
    scopes: ["openid", "identify", "guilds"],
    issueRefreshToken: () => true,
    // The pages for development accept any name without a password.
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      deviceFlow: {
        enabled: true,
        userCodeConfirmSource: (context: Page, form: string) => {
          context.body = form;
        },
        successSource: (context: Page) => {
          context.body = "The device is logged in";
        },
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_context: unknown, client: Owned, token: Owned) =>
          client.clientId === token.clientId,
      },
    },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    cookies: { keys: [randomUUID()] },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }] },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      ClientCredentials: 3600,
      DeviceCode: 600,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: 3600,
      Session: 600,
    },
  };
}

/** Keeps three harmless warnings out of the log. */
function muteExpectedWarnings(): () => void {
  const expected = /Unsupported runtime|in-memory adapter is used|devInteractions is enabled/;
  const { warn } = console;
  console.warn = (...what: unknown[]) => {
    if (!expected.test(String(what[0]))) warn(...what);
  };
  return () => {
    console.warn = warn;
  };
}
