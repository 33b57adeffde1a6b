/**
 * The fake platform as `https://discord.com`, and a browser to log in with.
 *
 * @module
 */

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, expect } from "vitest";
import {
  createFakePlatform,
  type FakePlatform,
  nodeListener,
  sampleApplication,
  sampleUsers,
} from "../../../../src/testing/mod.ts";
import { makeCertificate } from "./certificate.ts";
import { platformHosts, redirectTls } from "./redirect.ts";

/** The origin of the application. Nothing listens there: the tests pass the callback as text. */
export const appOrigin = "https://app.example";

export const redirectUri = `${appOrigin}/callback`;

const { id, secret } = sampleApplication;

/** The application's credentials. */
export const credentials = { id, secret };

export const ada = sampleUsers[0];

/** The `User-Agent` of a test's own requests. */
export const userAgent = "DiscordBot (https://app.example, 1.0)";

/**
 * Serves a platform during the tests of a file.
 *
 * @param redirectUris The redirect URIs that the tested client makes itself, if it does.
 */
export async function startPlatform(redirectUris = [redirectUri]): Promise<FakePlatform> {
  const { key, cert } = makeCertificate();
  const fake = createFakePlatform({
    origin: "https://discord.com",
    applications: [{ ...sampleApplication, redirectUris }],
  });
  const server = createServer(
    { key, cert },
    nodeListener(fake.handler, { hosts: platformHosts }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = redirectTls((server.address() as AddressInfo).port, cert);
  afterAll(async () => {
    stop();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return fake;
}

/** Opens a link as a browser does, consents as Ada, and returns the callback. */
export async function consent(link: string | URL): Promise<URL> {
  const page = await fetch(link);
  expect(page.status, await page.text()).toBe(200);
  const decision = await fetch(page.url, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ action: "authorize", user: ada.id }),
  });
  expect(decision.status, await decision.text()).toBe(302);
  return new URL(decision.headers.get("location") ?? "");
}

/** Returns the status of a read with the token: 200 while it is valid, 401 afterwards. */
export async function statusOf(accessToken: string): Promise<number> {
  const response = await fetch("https://discord.com/api/v10/users/@me", {
    headers: { "authorization": `Bearer ${accessToken}`, "user-agent": userAgent },
  });
  await response.text();
  return response.status;
}
