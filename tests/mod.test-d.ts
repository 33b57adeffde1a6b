import { describe, expectTypeOf, test } from "vitest";
import {
  type AccessTokenOptions,
  ApiError,
  AuthUrl,
  type AuthUrlOptions,
  type AuthUrlParams,
  Bot,
  type BotOptions,
  type BotUrlParams,
  type Callback,
  type CallOptions,
  type ClientOptions,
  codeChallenge,
  discord,
  type ErrorCode,
  type Fetch,
  generateCodeVerifier,
  generateState,
  type GuildObj,
  GuildpassError,
  OAuthError,
  parseCallback,
  parseFragment,
  type PartialGuildObj,
  PayloadError,
  type PayloadIssue,
  type PermissionInput,
  type Platform,
  PlatformApi,
  RateLimitError,
  type ReportedRequest,
  type Scope,
  type TextPlatform,
  type TokenObj,
  type TokenSource,
  User,
  type UserGuildsOptions,
  type UserObj,
  type UserOptions,
} from "../mod.ts";

const ID = "1024000000000000000";
const REDIRECT = "https://app.example/callback";

describe("AuthUrl", () => {
  test("takes what belongs to the application, then what belongs to the login", () => {
    expectTypeOf<ConstructorParameters<typeof AuthUrl>>().toEqualTypeOf<[
      clientId: string,
      scope: readonly Scope[],
      redirectUri: string | URL,
      permissions?: PermissionInput | null | undefined,
      options?: AuthUrlOptions | null | undefined,
    ]>();
    expectTypeOf<AuthUrlOptions>().toEqualTypeOf<
      { readonly platform?: Platform | null | undefined }
    >();
    expectTypeOf<AuthUrl["makeUrl"]>()
      .toEqualTypeOf<(params?: AuthUrlParams | null) => Promise<string>>();
    expectTypeOf<AuthUrlParams>().toEqualTypeOf<{
      readonly state?: string | null | undefined;
      readonly codeVerifier?: string | null | undefined;
      readonly prompt?: "consent" | "none" | null | undefined;
      readonly guildId?: string | null | undefined;
      readonly disableGuildSelect?: boolean | null | undefined;
      readonly integrationType?: 0 | 1 | null | undefined;
      readonly responseType?: "code" | "token" | null | undefined;
      readonly nonce?: string | null | undefined;
    }>();
  });

  test("has its link as text", () => {
    expectTypeOf<AuthUrl["href"]>().toEqualTypeOf<string>();
    expectTypeOf<AuthUrl["toString"]>().toEqualTypeOf<() => string>();
  });

  test("refuses what is no link", () => {
    const wrong = (): unknown[] => [
      // @ts-expect-error a client id is text, since a number loses digits
      new AuthUrl(1024, ["identify"], REDIRECT),
      // @ts-expect-error it may be missing from the environment
      new AuthUrl(process.env.CLIENT_ID, ["identify"], REDIRECT),
      // @ts-expect-error the scopes are a list
      new AuthUrl(ID, "identify guilds", REDIRECT),
      // @ts-expect-error the redirect URI can't be left out
      new AuthUrl(ID, ["identify"]),
      // @ts-expect-error the permissions are permissions
      new AuthUrl(ID, ["identify"], REDIRECT, "conect"),
      // @ts-expect-error the platform is not text
      new AuthUrl(ID, ["identify"], REDIRECT, null, { platform: "https://discord.com" }),
      // @ts-expect-error there is no such option
      new AuthUrl(ID, ["identify"], REDIRECT, null, { timeout: 5 }),
      // @ts-expect-error there is no such prompt
      new AuthUrl(ID, ["identify"], REDIRECT).makeUrl({ prompt: "login" }),
      // @ts-expect-error there is no such integration type
      new AuthUrl(ID, ["identify"], REDIRECT).makeUrl({ integrationType: 2 }),
      // @ts-expect-error there is no such response type
      new AuthUrl(ID, ["identify"], REDIRECT).makeUrl({ responseType: "id_token" }),
      // @ts-expect-error a guild's id is text
      new AuthUrl(ID, ["identify"], REDIRECT).makeUrl({ guildId: 41771983423143937 }),
      // @ts-expect-error there is no such parameter
      new AuthUrl(ID, ["identify"], REDIRECT).makeUrl({ verifier: "x" }),
      // @ts-expect-error the link is read-only
      new AuthUrl(ID, ["identify"], REDIRECT).href = "",
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("Bot", () => {
  test("takes what belongs to the bot, then what belongs to the invitation", () => {
    expectTypeOf<ConstructorParameters<typeof Bot>>().toEqualTypeOf<[
      clientId: string,
      permissions?: PermissionInput | null | undefined,
      options?: BotOptions | null | undefined,
    ]>();
    expectTypeOf<BotOptions>().toEqualTypeOf<{
      readonly platform?: Platform | null | undefined;
      readonly scope?: readonly Scope[] | null | undefined;
    }>();
    expectTypeOf<Bot["url"]>().toEqualTypeOf<(params?: BotUrlParams | null) => Promise<string>>();
    expectTypeOf<BotUrlParams>().toEqualTypeOf<{
      readonly guildId?: string | null | undefined;
      readonly disableGuildSelect?: boolean | null | undefined;
      readonly integrationType?: 0 | 1 | null | undefined;
    }>();
    expectTypeOf<Bot["href"]>().toEqualTypeOf<string>();
  });

  test("refuses what belongs to a login", () => {
    const wrong = (): unknown[] => [
      // @ts-expect-error an invitation has no redirect, so it has no state
      new Bot(ID).url({ state: "s7ate" }),
      // @ts-expect-error a scope is not text
      new Bot(ID, 8, { scope: "applications.commands" }),
      // @ts-expect-error the link is read-only
      new Bot(ID).href = "",
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("the way back", () => {
  test("reads the fragment of a page", () => {
    expectTypeOf<Location>().toExtend<Parameters<typeof parseFragment>[0]>();
    expectTypeOf<URL>().toExtend<Parameters<typeof parseFragment>[0]>();
    expectTypeOf(parseFragment).parameter(1)
      .toEqualTypeOf<Parameters<typeof parseCallback>[1]>();
    expectTypeOf(parseFragment).returns.toEqualTypeOf<TokenObj>();
  });

  test("reads a callback in every form", () => {
    expectTypeOf(parseCallback).parameter(0)
      .toEqualTypeOf<string | URL | URLSearchParams | { readonly url?: string | undefined }>();
    expectTypeOf<Request>().toExtend<Parameters<typeof parseCallback>[0]>();
    expectTypeOf(parseCallback).parameter(1)
      .toEqualTypeOf<{
        readonly state: string | null | undefined;
        readonly issuer?: string | null | undefined;
      }>();
    expectTypeOf(parseCallback).returns.toEqualTypeOf<Callback>();
    expectTypeOf<Callback>().toEqualTypeOf<{
      readonly code: string;
      readonly state: string;
      readonly guildId: string | null;
      readonly permissions: `${bigint}` | null;
    }>();
  });

  test("can't be read without a state to hold it against", () => {
    const wrong = (): unknown[] => [
      // @ts-expect-error the options can't be left out
      parseCallback(REDIRECT),
      // @ts-expect-error and neither can the state
      parseCallback(REDIRECT, {}),
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("PKCE", () => {
  test("makes text, and a challenge in its own time", () => {
    expectTypeOf(generateState).toEqualTypeOf<() => string>();
    expectTypeOf(generateCodeVerifier).toEqualTypeOf<() => string>();
    expectTypeOf(codeChallenge).toEqualTypeOf<(codeVerifier: string) => Promise<string>>();
  });
});

describe("PlatformApi", () => {
  test("takes the application, and exchanges a code", () => {
    expectTypeOf<ConstructorParameters<typeof PlatformApi>>().toEqualTypeOf<[
      clientId: string,
      clientSecret: string | null,
      scope: readonly Scope[],
      redirectUri: string | URL,
      options?: ClientOptions | null | undefined,
    ]>();
    expectTypeOf<PlatformApi["accessToken"]>()
      .toEqualTypeOf<
        (code: string, options?: AccessTokenOptions | null) => Promise<TokenObj>
      >();
    expectTypeOf<AccessTokenOptions>().toEqualTypeOf<{
      readonly codeVerifier?: string | null | undefined;
      readonly signal?: AbortSignal | null | undefined;
    }>();
  });

  test("shows none of what it holds", () => {
    expectTypeOf<keyof PlatformApi>()
      .toEqualTypeOf<
        "accessToken" | "clientCredentials" | "refresh" | "revoke" | "startDeviceLogin" | "timeout"
      >();
    expectTypeOf<keyof User>()
      .toEqualTypeOf<
        | "addGuildMember"
        | "deleteRoleConnection"
        | "getAuthorization"
        | "getConnections"
        | "getCurrentUser"
        | "getGuild"
        | "getGuildMember"
        | "getRoleConnection"
        | "getUserGuilds"
        | "getUserInfo"
        | "leaveGuild"
        | "setRoleConnection"
        | "setRoleConnectionMetadata"
        | "userGuilds"
      >();
  });

  test("refuses a secret that may be missing", () => {
    const wrong = (secret: string | undefined): unknown[] => [
      // @ts-expect-error a public client says so, with null
      new PlatformApi(ID, secret, ["identify"], REDIRECT),
      // @ts-expect-error a code is text
      new PlatformApi(ID, null, ["identify"], REDIRECT).accessToken(null),
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("User", () => {
  test("takes a token, and reads what it opens", () => {
    expectTypeOf<ConstructorParameters<typeof User>>()
      .toEqualTypeOf<
        [
          accessToken: string | TokenObj<Scope> | TokenSource<Scope>,
          options?: UserOptions | null | undefined,
        ]
      >();
    expectTypeOf<UserOptions["tokenType"]>().toEqualTypeOf<"Bearer" | "Bot" | null | undefined>();
    expectTypeOf<User["getCurrentUser"]>()
      .toEqualTypeOf<(options?: CallOptions | null) => Promise<UserObj>>();
    expectTypeOf<User["getUserGuilds"]>()
      .toEqualTypeOf<(options?: UserGuildsOptions | null) => Promise<PartialGuildObj[]>>();
    expectTypeOf<User["getGuild"]>().toEqualTypeOf<
      (id: string, withCounts?: boolean | null, options?: CallOptions | null) => Promise<GuildObj>
    >();
    expectTypeOf<UserGuildsOptions>().toEqualTypeOf<{
      readonly before?: string | null | undefined;
      readonly after?: string | null | undefined;
      readonly limit?: number | null | undefined;
      readonly withCounts?: boolean | null | undefined;
      readonly signal?: AbortSignal | null | undefined;
    }>();
  });

  test("refuses what is no id and no token", () => {
    const wrong = (user: User): unknown[] => [
      // @ts-expect-error an id is text, since a number loses digits
      user.getGuild(41771983423143937),
      // @ts-expect-error the counts are asked for with true
      user.getGuild(ID, 1),
      // @ts-expect-error the limit is a number
      user.getUserGuilds({ limit: "200" }),
      // @ts-expect-error a token may be missing
      new User(undefined),
      // @ts-expect-error there is no such type of token
      new User("t0ken", { tokenType: "Basic" }),
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("the options of the clients", () => {
  test("are all optional, also under exactOptionalPropertyTypes", () => {
    expectTypeOf<ClientOptions>().toEqualTypeOf<{
      readonly fetch?: Fetch | null | undefined;
      readonly timeout?: number | null | undefined;
      readonly maxBytes?: number | null | undefined;
      readonly platform?: Platform | null | undefined;
      readonly userAgent?: string | null | undefined;
      readonly onUnexpected?:
        | ((issues: readonly PayloadIssue[], request: ReportedRequest) => unknown)
        | null
        | undefined;
    }>();
    expectTypeOf<CallOptions>().toEqualTypeOf<
      { readonly signal?: AbortSignal | null | undefined }
    >();
  });

  test("take the runtime's own fetch", () => {
    expectTypeOf<typeof fetch>().toExtend<Fetch>();
  });

  test("take any platform with its three addresses", () => {
    expectTypeOf<Platform>().toEqualTypeOf<{
      readonly authorizeUrl: string | URL;
      readonly apiUrl: string | URL;
      readonly cdnUrl: string | URL;
      readonly issuer?: string | null | undefined;
      readonly allowInsecure?: boolean | null | undefined;
    }>();
    expectTypeOf(discord).toEqualTypeOf<TextPlatform>();
    expectTypeOf<TextPlatform["apiUrl"]>().toEqualTypeOf<string>();
  });
});

describe("the errors", () => {
  test("have a closed set of codes, and a hint that may be missing", () => {
    expectTypeOf<ErrorCode>().toEqualTypeOf<
      | "oauth_error"
      | "missing_scope"
      | "login_required"
      | "login_failed"
      | "state_mismatch"
      | "api_error"
      | "rate_limited"
      | "invalid_payload"
      | "payload_too_large"
      | "network_error"
      | "invalid_id_token"
      | "invalid_signature"
      | "timeout"
      | "store_timeout"
    >();
    expectTypeOf<GuildpassError["code"]>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<GuildpassError["hint"]>().toEqualTypeOf<string | undefined>();
  });

  test("have what the platform said", () => {
    expectTypeOf<Pick<OAuthError, "error" | "description" | "httpStatus">>().toEqualTypeOf<{
      readonly error: string;
      readonly description: string | null;
      readonly httpStatus: number | null;
    }>();
    expectTypeOf<Pick<ApiError, "httpStatus" | "platformCode" | "errors">>().toEqualTypeOf<{
      readonly httpStatus: number;
      readonly platformCode: number | null;
      readonly errors: unknown;
    }>();
    expectTypeOf<Pick<RateLimitError, "retryAfter" | "scope" | "global">>().toEqualTypeOf<{
      readonly retryAfter: number | null;
      readonly scope: string | null;
      readonly global: boolean;
    }>();
    expectTypeOf<PayloadError["issues"]>()
      .toEqualTypeOf<readonly { readonly path: string; readonly message: string }[]>();
  });
});
