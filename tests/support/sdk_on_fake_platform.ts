/** The library as an application imports it, with a fake platform at the real one's address. */

import {
  type ClientOptions,
  PlatformApi as RealPlatformApi,
  type Scope,
  type Store,
  User as RealUser,
  type UserOptions,
} from "../../mod.ts";
import { Login as RealLogin, type LoginOptions } from "../../src/login/mod.ts";
import {
  type IdTokenClaims,
  verifyIdToken as realVerifyIdToken,
  type VerifyIdTokenOptions,
} from "../../src/openid/mod.ts";
import {
  createFakePlatform,
  type FakePlatform,
  sampleApplication,
  sampleGuilds,
  sampleUsers,
} from "../../src/testing/mod.ts";

export * from "../../mod.ts";
export { LoginError } from "../../src/login/mod.ts";

const [firstGuild, secondGuild, ...otherGuilds] = sampleGuilds;

/** A platform with two more users: `kim` without permissions in the second guild, and `mallory` without guilds. `ada` has a role there. */
export const fake: FakePlatform = createFakePlatform({
  origin: "https://discord.com",
  applications: [{
    ...sampleApplication,
    redirectUris: [
      ...sampleApplication.redirectUris,
      "https://api.site.example/callback",
      "https://app.example/owners/callback",
    ],
  }],
  users: [
    ...sampleUsers,
    { id: "1000000000000000003", username: "mallory" },
    { id: "1000000000000000004", username: "kim" },
  ],
  guilds: [
    firstGuild,
    {
      ...secondGuild,
      roles: [
        { id: secondGuild.id, name: "@everyone" },
        { id: "1200000000000000201", name: "Crew" },
      ],
      members: {
        ...secondGuild.members,
        "1000000000000000001": { permissions: "8", roles: ["1200000000000000201"] },
        "1000000000000000004": { permissions: "0" },
      },
    },
    ...otherGuilds,
  ],
});
export const { fetch } = fake;
export const { id: clientId, secret: clientSecret } = sampleApplication;
export const { botToken } = sampleApplication;
export const redirectUri = "https://app.example/callback";
export const { platform } = fake;
export const secret = "random text of at least 32 characters";
export const settings = { clientId, clientSecret, platform, secret };
export const publicKey: string = await fake.webhookPublicKey();

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

type AnyStore = Store | undefined;
type MayKeepToken = boolean | undefined;

export class Login extends RealLogin<Scope, unknown, AnyStore, MayKeepToken> {
  constructor(options: LoginOptions<Scope, unknown, AnyStore, MayKeepToken>) {
    super(onFake(options));
  }
}

export function verifyIdToken(
  idToken: string | null,
  options: VerifyIdTokenOptions,
): Promise<IdTokenClaims> {
  return realVerifyIdToken(idToken, onFake(options));
}

function onFake<Options extends ClientOptions>(options?: Options | null): Options {
  return { ...options as Options, fetch: fake.fetch };
}
