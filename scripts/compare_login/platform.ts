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
} from "../../src/testing/mod.ts";
import { makeCertificate } from "../../tests/clients/support/certificate.ts";
import { redirectTls } from "../../tests/clients/support/redirect.ts";

/** Where the application is. */
export const site = "https://app.example";

export const clientId = sampleApplication.id;

export const clientSecret = sampleApplication.secret;

/** A secret for whatever an application seals. */
export const appSecret = "a secret of this comparison, long enough for it";

/** Serves platforms, one after the other, and returns the function that begins a new one. */
export async function servePlatforms(): Promise<(callback: string) => FakePlatform> {
  let current = createFakePlatform();
  const { key, cert } = makeCertificate();
  const listener = nodeListener((request) => current.handler(request));
  const server = createServer({ key, cert }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  redirectTls((server.address() as AddressInfo).port, cert);
  return (callback) =>
    current = createFakePlatform({
      origin: "https://discord.com",
      applications: [{ ...sampleApplication, redirectUris: [`${site}${callback}`] }],
    });
}
