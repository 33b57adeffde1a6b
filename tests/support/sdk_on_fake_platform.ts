/** The library as an application imports it, but sending its requests to a fake platform that stands in for the real one. */

import {
  type ClientOptions,
  PlatformApi as RealPlatformApi,
  User as RealUser,
  type UserOptions,
} from "../../mod.ts";
import {
  type IdTokenClaims,
  verifyIdToken as realVerifyIdToken,
  type VerifyIdTokenOptions,
} from "../../src/server/openid/mod.ts";
import { createFakePlatform, type FakePlatform, sampleApplication } from "../../src/testing/mod.ts";

export * from "../../mod.ts";

export const fake: FakePlatform = createFakePlatform({ origin: "https://discord.com" });
export const { fetch } = fake;
export const { id: clientId, secret: clientSecret } = sampleApplication;
export const redirectUri = "https://app.example/callback";

export class PlatformApi extends RealPlatformApi {
  constructor(...[id, secret, scope, uri, options]: ConstructorParameters<typeof RealPlatformApi>) {
    super(id, secret, scope, uri, onFake(options));
  }
}

export class User extends RealUser {
  constructor(...[token, options]: ConstructorParameters<typeof RealUser>) {
    super(token, onFake<UserOptions>(options));
  }
}

export function verifyIdToken(
  idToken: string | null,
  options: VerifyIdTokenOptions,
): Promise<IdTokenClaims> {
  return realVerifyIdToken(idToken, onFake(options));
}

function onFake<Options extends ClientOptions>(options?: Options | null): Options {
  return { ...options, fetch: fake.fetch } as Options;
}
