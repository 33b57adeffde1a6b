import { describe, expectTypeOf, test } from "vitest";
import type { OperationName } from "../src/api/operations.ts";
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
  type ClientCredentials,
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
  type ReadOptions,
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
  test("takes the arguments of the application before those of the login", () => {
    expectTypeOf<ConstructorParameters<typeof AuthUrl>>().toEqualTypeOf<[
      clientId: string,
      scope: readonly Scope[],
      redirectUri: string | URL | null,
      permissions?: PermissionInput | null | undefined,
      options?: AuthUrlOptions | null | undefined,
    ]>();
    expectTypeOf<AuthUrlOptions>().toEqualTypeOf<
      { readonly platform?: Platform | string | null | undefined }
    >();
    expectTypeOf<AuthUrl["makeUrl"]>()
      .toEqualTypeOf<(params?: AuthUrlParams | null) => Promise<string>>();
    expectTypeOf<AuthUrlParams>().toEqualTypeOf<{
      readonly state?: string | null | undefined;
      readonly codeVerifier?: string | null | undefined;
      readonly codeChallenge?: string | null | undefined;
      readonly channelId?: string | null | undefined;
      readonly prompt?: "consent" | "none" | null | undefined;
      readonly guildId?: string | null | undefined;
      readonly disableGuildSelect?: boolean | null | undefined;
      readonly integrationType?: 0 | 1 | null | undefined;
      readonly responseType?: "code" | "token" | null | undefined;
      readonly nonce?: string | null | undefined;
    }>();
  });

  test("returns its link as a string", () => {
    expectTypeOf<AuthUrl["href"]>().toEqualTypeOf<string>();
    expectTypeOf<AuthUrl["toString"]>().toEqualTypeOf<() => string>();
  });

  test("refuses arguments of wrong types", () => {
    const wrong = (): unknown[] => [
      // @ts-expect-error a client id is a string, because a number loses digits
      new AuthUrl(1024, ["identify"], REDIRECT),
      // @ts-expect-error a variable of the environment may be undefined
      new AuthUrl(process.env.CLIENT_ID, ["identify"], REDIRECT),
      // @ts-expect-error the scopes are a list
      new AuthUrl(ID, "identify guilds", REDIRECT),
      // @ts-expect-error the redirect URI is required
      new AuthUrl(ID, ["identify"]),
      // @ts-expect-error there is no permission "conect"
      new AuthUrl(ID, ["identify"], REDIRECT, "conect"),
      // @ts-expect-error a platform is an object or its JSON
      new AuthUrl(ID, ["identify"], REDIRECT, null, { platform: 5 }),
      // @ts-expect-error there is no such option
      new AuthUrl(ID, ["identify"], REDIRECT, null, { timeout: 5 }),
      // @ts-expect-error there is no such prompt
      new AuthUrl(ID, ["identify"], REDIRECT).makeUrl({ prompt: "login" }),
      // @ts-expect-error there is no such integration type
      new AuthUrl(ID, ["identify"], REDIRECT).makeUrl({ integrationType: 2 }),
      // @ts-expect-error there is no such response type
      new AuthUrl(ID, ["identify"], REDIRECT).makeUrl({ responseType: "id_token" }),
      // @ts-expect-error a guild's id is a string
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
  test("takes the arguments of the bot before those of the invitation", () => {
    expectTypeOf<ConstructorParameters<typeof Bot>>().toEqualTypeOf<[
      clientId: string,
      permissions?: PermissionInput | null | undefined,
      options?: BotOptions | null | undefined,
    ]>();
    expectTypeOf<BotOptions>().toEqualTypeOf<{
      readonly platform?: Platform | string | null | undefined;
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

  test("refuses the parameters of a login", () => {
    const wrong = (): unknown[] => [
      // @ts-expect-error an invitation has no redirect, so it has no state
      new Bot(ID).url({ state: "s7ate" }),
      // @ts-expect-error the scopes are a list
      new Bot(ID, 8, { scope: "applications.commands" }),
      // @ts-expect-error the link is read-only
      new Bot(ID).href = "",
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("parseFragment() and parseCallback()", () => {
  test("read the fragment of a page", () => {
    expectTypeOf<Location>().toExtend<Parameters<typeof parseFragment>[0]>();
    expectTypeOf<URL>().toExtend<Parameters<typeof parseFragment>[0]>();
    expectTypeOf(parseFragment).parameter(1)
      .toEqualTypeOf<Parameters<typeof parseCallback>[1]>();
    expectTypeOf(parseFragment).returns.toEqualTypeOf<TokenObj>();
  });

  test("read a callback in every form", () => {
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

  test("require the expected state", () => {
    const wrong = (): unknown[] => [
      // @ts-expect-error the options are required
      parseCallback(REDIRECT),
      // @ts-expect-error the state is required
      parseCallback(REDIRECT, {}),
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("PKCE", () => {
  test("generates strings, and a promise of a challenge", () => {
    expectTypeOf(generateState).toEqualTypeOf<() => string>();
    expectTypeOf(generateCodeVerifier).toEqualTypeOf<() => string>();
    expectTypeOf(codeChallenge).toEqualTypeOf<(codeVerifier: string) => Promise<string>>();
  });
});

describe("PlatformApi", () => {
  test("takes an application and exchanges a code", () => {
    expectTypeOf<ConstructorParameters<typeof PlatformApi>>().toEqualTypeOf<[
      clientId: string,
      clientSecret: string | null,
      scope: readonly Scope[],
      redirectUri: string | URL | null,
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

  test("has no public property for its secrets", () => {
    expectTypeOf<keyof PlatformApi>()
      .toEqualTypeOf<
        | "accessToken"
        | "clientCredentials"
        | "refresh"
        | "revoke"
        | "startDeviceLogin"
        | "timeout"
      >();
    expectTypeOf<keyof User>().toEqualTypeOf<OperationName | "request">();
  });

  test("refuses a secret that may be undefined", () => {
    const wrong = (secret: string | undefined): unknown[] => [
      // @ts-expect-error a public client passes null
      new PlatformApi(ID, secret, ["identify"], REDIRECT),
      // @ts-expect-error a code is a string
      new PlatformApi(ID, null, ["identify"], REDIRECT).accessToken(null),
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("User", () => {
  test("takes the JSON of Discord's response, and then accepts the methods of every scope", () => {
    const create = (json: { access_token: string; token_type: string; scope: string }) => [
      new User({ access_token: json.access_token }).getUserGuilds(),
      new User({ ...json, token_type: "Bearer" }).getConnections(),
      // @ts-expect-error the token is missing
      new User({ scope: json.scope }),
      // @ts-expect-error the scope guilds is missing
      (token: TokenObj<"identify">) => new User(token).getUserGuilds(),
    ];
    expectTypeOf(create).toBeFunction();
  });

  test("takes a token and reads everything that it grants", () => {
    expectTypeOf<ConstructorParameters<typeof User>>()
      .toEqualTypeOf<
        [
          accessToken:
            | string
            | Pick<TokenObj<Scope>, "access_token"> & Partial<TokenObj<Scope>>
            | TokenSource<Scope>
            | ClientCredentials<Scope>,
          options?: UserOptions | null | undefined,
        ]
      >();
    expectTypeOf<UserOptions["tokenType"]>().toEqualTypeOf<"Bearer" | "Bot" | null | undefined>();
    expectTypeOf<User["getCurrentUser"]>()
      .toEqualTypeOf<(options?: ReadOptions | null) => Promise<UserObj>>();
    expectTypeOf<User["getUserGuilds"]>()
      .toEqualTypeOf<(options?: UserGuildsOptions | null) => Promise<PartialGuildObj[]>>();
    expectTypeOf<User["getGuild"]>().toEqualTypeOf<
      (id: string, withCounts?: boolean | null, options?: ReadOptions | null) => Promise<GuildObj>
    >();
    expectTypeOf<UserGuildsOptions>().toEqualTypeOf<{
      readonly before?: string | null | undefined;
      readonly after?: string | null | undefined;
      readonly limit?: number | null | undefined;
      readonly withCounts?: boolean | null | undefined;
      readonly fresh?: boolean | null | undefined;
      readonly signal?: AbortSignal | null | undefined;
    }>();
    expectTypeOf<ReadOptions>().toEqualTypeOf<{
      readonly fresh?: boolean | null | undefined;
      readonly signal?: AbortSignal | null | undefined;
    }>();
    expectTypeOf<Parameters<User["leaveGuild"]>[1]>()
      .toEqualTypeOf<CallOptions | null | undefined>();
    expectTypeOf<UserOptions["freshFor"]>().toEqualTypeOf<number | null | undefined>();
  });

  test("refuses a wrong id and a wrong token", () => {
    const wrong = (user: User): unknown[] => [
      // @ts-expect-error an id is a string, because a number loses digits
      user.getGuild(41771983423143937),
      // @ts-expect-error withCounts is a boolean
      user.getGuild(ID, 1),
      // @ts-expect-error the limit is a number
      user.getUserGuilds({ limit: "200" }),
      // @ts-expect-error a token is required
      new User(undefined),
      // @ts-expect-error there is no such type of token
      new User("t0ken", { tokenType: "Basic" }),
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("TokenSource.save()", () => {
  test("takes a token of its scopes, and a response of the platform", () => {
    const save = async (
      source: TokenSource<"identify">,
      token: TokenObj<"identify" | "email">,
      response: { access_token: string; token_type: string; expires_in: number; scope: string },
    ): Promise<void> => {
      await source.save(token);
      await source.save(response);
      await source.save({ access_token: "t0ken", refresh_token: null, expires_at: 1e12 });
    };
    expectTypeOf(save).toBeFunction();
  });

  test("refuses a token without its scopes, and what is not a token", () => {
    const wrong = (source: TokenSource<"identify" | "email">, token: TokenObj<"identify">) => [
      // @ts-expect-error the scope email is missing
      source.save(token),
      // @ts-expect-error text is not a token
      source.save("t0ken"),
      // @ts-expect-error no name of a token's field
      source.save({ token: "t0ken" }),
      // @ts-expect-error the names are the platform's
      source.save({ accessToken: "t0ken" }),
      // @ts-expect-error a time is a number
      source.save({ access_token: "t0ken", expires_at: new Date() }),
    ];
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("The options of the clients", () => {
  test("are all optional, also under exactOptionalPropertyTypes", () => {
    expectTypeOf<ClientOptions>().toEqualTypeOf<{
      readonly fetch?: Fetch | null | undefined;
      readonly timeout?: number | null | undefined;
      readonly maxBytes?: number | null | undefined;
      readonly platform?: Platform | string | null | undefined;
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

  test("accept the runtime's own fetch", () => {
    expectTypeOf<typeof fetch>().toExtend<Fetch>();
  });

  test("accept any platform with three addresses", () => {
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

describe("The errors", () => {
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

  test("carry the details that the platform sent", () => {
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
