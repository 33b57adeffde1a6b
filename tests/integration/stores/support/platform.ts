/**
 * A fake platform in the process of a test, with a function that logs a person in.
 *
 * @module
 */

import { PlatformApi, type TokenObj } from "../../../../mod.ts";
import {
  createFakePlatform,
  type FakePlatform,
  sampleApplication,
} from "../../../../src/testing/mod.ts";

/** A fake platform in this process. */
export interface TestPlatform {
  readonly fake: FakePlatform;
  readonly api: PlatformApi<"identify">;
  /** Logs Ada in. */
  logIn(): Promise<TokenObj>;
  /** Returns the codes or refresh tokens that the platform has received. */
  sent(grant: "authorization_code" | "refresh_token"): string[];
}

/** Creates a platform. */
export function createPlatform(): TestPlatform {
  const fake = createFakePlatform();
  const { id, secret, redirectUris: [redirectUri = ""] } = sampleApplication;
  const api = new PlatformApi(id, secret, ["identify"], redirectUri, { ...fake, timeout: 5000 });
  const query = {
    response_type: "code",
    client_id: id,
    scope: "identify",
    redirect_uri: redirectUri,
  };
  return {
    fake,
    api,
    async logIn() {
      const link = `${fake.platform.authorizeUrl}?${new URLSearchParams(query)}`;
      const callback = new URL(await fake.authorize(link, { as: "ada" }));
      return await api.accessToken(callback.searchParams.get("code") ?? "");
    },
    sent: (grant) =>
      fake.requests.map(({ body }) => Object(body))
        .filter(({ grant_type }) => grant_type === grant)
        .map(({ code, refresh_token }) => String(grant === "refresh_token" ? refresh_token : code)),
  };
}
