/**
 * The fake platform in the place of `https://discord.com`, for this process.
 *
 * @module
 */

import { sampleApplication } from "../../../../src/testing/mod.ts";
import { appOrigin } from "./contender.ts";

const { id, secret } = sampleApplication;

/** The credentials of all applications. */
export const credentials = { id, secret: secret ?? "" };

/** The redirect URIs of the applications. */
export const redirectUris = ["/callback", "/api/auth/callback/discord", "/auth/callback/discord"]
  .map((path) => appOrigin + path);

const { fetch } = globalThis;

/** Redirects requests for the platform to a server on this machine, and refuses all others. */
export function redirectFetch(platformOrigin: string): void {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname, search } = new URL(request.url);
    if (origin === platformOrigin) return fetch(request);
    if (origin !== "https://discord.com") throw new Error(`${origin} is not the platform`);
    return fetch(new Request(platformOrigin + pathname + search, request));
  };
}
