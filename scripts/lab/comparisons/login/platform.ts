/**
 * The fake platform as `https://discord.com`, and the credentials of the application there.
 *
 * @module
 */

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
} from "../../../../src/testing/mod.ts";
import { makeCertificate } from "../../../../tests/integration/clients/support/certificate.ts";
import { redirectTls } from "../../../../tests/integration/clients/support/redirect.ts";

/** The origin of the application. */
export const site = "https://app.example";

export const clientId = sampleApplication.id;

export const clientSecret = sampleApplication.secret;

/** The secret with which an application encrypts and signs. */
export const appSecret = "a secret of this comparison, long enough for it";

/** The port and certificate with which another process reaches the platform. */
export interface PlatformServer {
  readonly port: number;
  readonly certificate: string;
}

/** A server with one fake platform at a time. */
export interface Platforms {
  readonly server: PlatformServer;
  /** Replaces the platform with a new one. */
  begin(callback: string): FakePlatform;
}

/** Starts the server. */
export async function servePlatforms(): Promise<Platforms> {
  let current = createFakePlatform();
  const { key, cert } = makeCertificate();
  const listener = nodeListener((request) => current.handler(request), { hosts: ["discord.com"] });
  const server = createServer({ key, cert }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  redirectTls(port, cert);
  return {
    server: { port, certificate: cert },
    begin: (callback) =>
      current = createFakePlatform({
        origin: "https://discord.com",
        applications: [{ ...sampleApplication, redirectUris: [`${site}${callback}`] }],
      }),
  };
}
