/**
 * Serves the fake platform on a port, with a person whose access token is about to end.
 *
 * @module
 */

import type { RequestListener } from "node:http";
import {
  createFakePlatform,
  type FakePlatform,
  type FakePlatformOptions,
  nodeListener,
  sampleApplication,
} from "../../../../src/testing/mod.ts";
import { PlatformApi, type TokenObj } from "../../../../mod.ts";
import { serveListener } from "../../../support/node_server.ts";

/** A fake platform that other processes reach. */
export interface ServedPlatform extends AsyncDisposable {
  readonly fake: FakePlatform;
  readonly api: PlatformApi<"identify">;
  readonly origin: string;
  /** The refresh requests, oldest first: the refresh token, and the arrival time by a monotonic clock. */
  readonly refreshes: readonly { readonly token: string; readonly at: number }[];
  /** Logs in, and moves the clock until the access token works for so many more seconds. A negative number means that it has ended. */
  logIn(secondsLeft: number): Promise<TokenObj>;
}

/** Serves a new fake platform on a free port. */
export async function servePlatform(
  options: Omit<FakePlatformOptions, "origin"> = {},
): Promise<ServedPlatform> {
  let listener: RequestListener = () => {};
  const refreshes: { token: string; at: number }[] = [];
  // On a busy machine, a process could send a refresh just as the server closes an idle connection.
  const server = await serveListener((request, response) => listener(request, response), {
    keepAliveTimeout: 600_000,
  });
  const { origin } = server;
  const fake = createFakePlatform({ ...options, origin });
  listener = nodeListener(async (request) => {
    const form = new URLSearchParams(await request.clone().text());
    const token = form.get("refresh_token");
    if (token) refreshes.push({ token, at: performance.now() });
    return await fake.handler(request);
  });
  const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
  const api = new PlatformApi(id, secret, ["identify"], redirectUri, fake);
  return {
    fake,
    api,
    origin,
    refreshes,
    async logIn(secondsLeft) {
      const link = `${fake.platform.authorizeUrl}?${new URLSearchParams({
        response_type: "code",
        client_id: id,
        scope: "identify",
        redirect_uri: redirectUri,
      })}`;
      const callback = new URL(await fake.authorize(link, { as: "ada" }));
      const token = await api.accessToken(callback.searchParams.get("code") ?? "");
      fake.advance(((token.expires_in ?? 0) - secondsLeft) * 1000);
      // The processes' clocks are not moved, so their token has to end sooner.
      return { ...token, expires_at: Date.now() + secondsLeft * 1000 };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
