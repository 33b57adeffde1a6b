import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ApiError,
  AuthUrl,
  Bot,
  type ClientOptions,
  generateState,
  GuildpassError,
  MemoryStore,
  parseCallback,
  PlatformApi,
  type TokenObj,
  TokenSource,
  User,
} from "../../mod.ts";
import { createFakePlatform, type Failure } from "../../src/testing/mod.ts";
import {
  acceptConnections,
  fakeFetch,
  type Responder,
  respondWith,
  thrownBy,
} from "../support/responders.ts";
import { userMethods } from "../support/user_calls.ts";
import { leaksOf } from "../support/leaks.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

const clientId = "1100000000000000001";
const redirectUri = "https://app.example/callback";

interface Secrets {
  readonly clientSecret: string;
  readonly code: string;
  readonly codeVerifier: string;
  readonly accessToken: string;
  readonly botToken: string;
}

/** Lists the secrets and their forms in requests. */
function listOf(secrets: Secrets): string[] {
  const encoded = new URLSearchParams({ "": secrets.clientSecret }).toString().slice(1);
  return [...Object.values(secrets), encoded, btoa(`${clientId}:${encoded}`)];
}

/** Secrets in the form of the platform. */
const usual: Secrets = {
  clientSecret: "937it3ow87i4ery69876wqire-SECRET-",
  code: "NhhvTDYsFcdgNLnnLijcl7Ku7bEEeeCODE",
  codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  accessToken: "6qrZcUqja7812RVdnEKjpzOL4CvHBFGTOKEN",
  botToken: "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
};

/** Secrets for a header or a form, long enough to differ from other words. */
const anySecrets: fc.Arbitrary<Secrets> = fc.record({
  clientSecret: anySecret(`"'\\/%+&=:;<>{}[]?#~!*()`),
  code: anySecret(`"'\\/%+&=:;<>{}[]?#~!*()`),
  codeVerifier: anySecret("-._~", 43),
  accessToken: anySecret(`"'\\/%+&=:;<>{}[]?#~!*()`),
  botToken: anySecret(".-_"),
});

function anySecret(marks: string, minLength = 29): fc.Arbitrary<string> {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return fc.array(
    fc.tuple(fc.constantFrom(...letters), fc.constantFrom("", "", "", ...marks)),
    { minLength, maxLength: 60 },
  ).map((pairs) => pairs.flat().join(""));
}

/** Every request of the library, with every kind of credentials. */
const calls: Record<string, (secrets: Secrets, options: ClientOptions) => Promise<unknown>> = {
  "PlatformApi.accessToken()": ({ clientSecret, code, codeVerifier }, options) =>
    new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, options)
      .accessToken(code, { codeVerifier }),
  "PlatformApi.accessToken() of a public client": ({ code, codeVerifier }, options) =>
    new PlatformApi(clientId, null, ["identify"], redirectUri, options)
      .accessToken(code, { codeVerifier }),
  "PlatformApi.refresh()": ({ clientSecret, accessToken }, options) =>
    new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, options)
      .refresh(accessToken),
  "PlatformApi.refresh() of a public client": ({ accessToken }, options) =>
    new PlatformApi(clientId, null, ["identify"], redirectUri, options).refresh(accessToken),
  "PlatformApi.revoke()": ({ clientSecret, accessToken }, options) =>
    new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, options)
      .revoke(accessToken),
  "PlatformApi.clientCredentials()": ({ clientSecret }, options) =>
    new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, options)
      .clientCredentials(["identify"]),
  "PlatformApi.startDeviceLogin()": ({ clientSecret }, options) =>
    new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, options)
      .startDeviceLogin(),
  "TokenSource.token()": async ({ clientSecret, accessToken }, options) => {
    const api = new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, options);
    const source = new TokenSource(api, new MemoryStore(), "ada");
    await source.save(expiredToken(accessToken));
    return await source.token();
  },
  ...Object.fromEntries(userMethods.map(({ name, call, isOfBot }) => [
    `User.${name}()`,
    ({ accessToken, botToken }: Secrets, options: ClientOptions) =>
      call(
        isOfBot
          ? new User(botToken, { ...options, tokenType: "Bot" })
          : new User(accessToken, options),
        null,
        accessToken,
      ),
  ])),
  "User.request() with a secret in each part": (
    { accessToken, botToken, code, codeVerifier },
    options,
  ) =>
    new User(accessToken, options).request("POST", "/webhooks/{id}/{token}", {
      path: { id: "1", token: botToken },
      query: { any: code },
      json: { embeds: [{ fields: [{ value: codeVerifier }] }] },
    }),
  "User.request() with a secret that is written into the path": (
    { accessToken, botToken },
    options,
  ) => new User(accessToken, options).request("GET", `/webhooks/1/${botToken}/messages/@original`),
};

/** Returns true if a call reads nothing, or a model that may have no required field. */
function mayReadAnything(name: string): boolean {
  return name.startsWith("User.") || name === "PlatformApi.revoke()";
}

/** Expects that a call fails on a wrong response, unless it reads anything. */
function expectNoModel(name: string, outcome: unknown): void {
  if (!mayReadAnything(name)) expect(outcome).toBeInstanceOf(GuildpassError);
}

/** A token that has expired and must be refreshed. */
function expiredToken(secret: string): TokenObj {
  return {
    access_token: secret,
    refresh_token: secret,
    token_type: "Bearer",
    expires_in: 604_800,
    expires_at: 1,
    scope: "identify",
    scopes: ["identify"],
    guild: null,
    webhook: null,
    id_token: null,
  };
}

/** A time limit too short for a retry. It is virtual: no machine is too slow. */
const timeout = 200;

describe("The outcome of a call", () => {
  test.each<[string, Failure]>([
    ["400", { status: 400, body: { error: "invalid_grant", error_description: "Invalid code" } }],
    ["401", { status: 401, body: { error: "invalid_client" } }],
    ["403", { status: 403 }],
    ["404", { status: 404 }],
    ["429 with a time", { status: 429, headers: { "retry-after": "60" } }],
    ["429 without a time", { status: 429, body: "" }],
    ["500", { status: 500 }],
    ["503", { status: 503, body: "<html>" }],
    ["a redirect", { status: 302, headers: { location: "https://elsewhere.example/" } }],
    ["HTML", { body: "<html>" }],
    ["an empty response", { body: "" }],
    ["half of a response", { body: '{"id": "1", "access_to' }],
    ["a response of another shape", { body: { id: 1, access_token: 1, guild: { id: [] } } }],
    ["a connection that is cut before the response", { cut: "before" }],
    ["a connection that is cut within the response", { cut: "body", status: 200, body: "{}" }],
    ["a timeout", { hang: true }],
  ])("shows no secret after %s", async (_what, failure) => {
    useVirtualTime();
    for (const [name, call] of Object.entries(calls)) {
      const fake = createFakePlatform();
      fake.failNext(failure);
      const outcome = await untilDone(
        call(usual, { ...fake, timeout }).catch((error: unknown) => error),
      );
      expectNoModel(name, outcome);
      expect(leaksOf([outcome], listOf(usual))).toEqual([]);
      expect(fake.requests).toHaveLength(1);
    }
  });

  test.each([[401, "its token"], [429, "its rate limit"]])(
    "shows no secret if the request is not sent because of a %i before",
    async (status, cause) => {
      useVirtualTime();
      const fake = createFakePlatform();
      fake.failNext({ status, headers: { "retry-after": "60" } });
      const user = new User(usual.accessToken, { ...fake, timeout });
      await thrownBy(() => user.getCurrentUser());
      const error = await thrownBy(() => user.getCurrentUser());
      expect(error).toMatchObject({ message: expect.stringContaining(`was not sent: `) });
      expect(String(error)).toContain(cause);
      expect(leaksOf(error, listOf(usual))).toEqual([]);
      expect(fake.requests).toHaveLength(1);
    },
  );

  test("shows no secret if a refresh is not sent after failures of the platform", async () => {
    const down = respondWith({}, { status: 503, headers: { "retry-after": "7" } });
    const { fetch, requests } = fakeFetch(down);
    const refresh = () => calls["PlatformApi.refresh()"]?.(usual, { fetch, timeout });
    for (let at = 0; at < 3; at++) await thrownBy(async () => await refresh());
    const error = await thrownBy(async () => await refresh());
    expect(String(error)).toContain("was not sent: the latest refreshes failed on the platform");
    expect(leaksOf(error, listOf(usual))).toEqual([]);
    expect(requests).toHaveLength(3);
  });

  test("shows no secret after a real connection is closed", async () => {
    useVirtualTime();
    const platform = await acceptConnections((socket) => socket.destroy());
    for (const call of Object.values(calls)) {
      // A `fetch` of its own has no limits and no waits of refreshes from the calls before it.
      const ownFetch: typeof fetch = (...request) => fetch(...request);
      const error = await thrownBy(() => call(usual, { platform, timeout, fetch: ownFetch }));
      expect(error).toMatchObject({ name: "NetworkError" });
      expect(leaksOf(error, listOf(usual))).toEqual([]);
    }
  });
});

describe("A secret of any characters", () => {
  test.each(Object.entries(calls))(
    "does not show if the platform repeats it in its response to %s",
    async (name, call) => {
      useVirtualTime();
      await fc.assert(
        fc.asyncProperty(anySecrets, hostileResponder, async (secrets, respond) => {
          const reports: unknown[] = [];
          const onUnexpected = (...report: unknown[]) => reports.push(report);
          const options = { ...fakeFetch(respond), timeout, onUnexpected };
          const outcome = await untilDone(
            call(secrets, options).catch((error: unknown) => error),
          );
          // A list without a readable entry becomes an empty list, and its problems are reported. request() reads any list.
          const isAnyJson = name.startsWith("User.request()");
          if (Array.isArray(outcome) && !isAnyJson) expect(reports).not.toEqual([]);
          else expectNoModel(name, outcome);
          // A model holds the platform's data: only the reports are searched.
          const isModel = mayReadAnything(name) && !(outcome instanceof Error);
          const shown = isModel ? [reports] : [outcome, reports];
          expect(leaksOf(shown, listOf(secrets))).toEqual([]);
        }),
        { numRuns: 100 },
      );
    },
  );

  test.each(Object.entries(calls))(
    "does not show if fetch repeats it in the error of %s",
    async (_name, call) => {
      useVirtualTime();
      await fc.assert(
        fc.asyncProperty(anySecrets, hostileFailure, async (secrets, respond) => {
          const error = await untilDone(
            thrownBy(() => call(secrets, { ...fakeFetch(respond), timeout })),
          );
          expect(error).toMatchObject({ name: "NetworkError" });
          expect(leaksOf(error, listOf(secrets))).toEqual([]);
        }),
        { numRuns: 25 },
      );
    },
  );
});

describe("A secret", () => {
  const options = { platform: createFakePlatform().platform };

  test("does not show in a client, before and after a call", async () => {
    await fc.assert(
      fc.asyncProperty(anySecrets, async (secrets) => {
        const { clientSecret, code, codeVerifier, accessToken, botToken } = secrets;
        const { fetch } = fakeFetch(respondWith("", { status: 401 }));
        const api = new PlatformApi(clientId, clientSecret, ["identify"], redirectUri, { fetch });
        const user = new User(accessToken, { fetch });
        const bot = new User(botToken, { fetch, tokenType: "Bot" });
        const link = new AuthUrl(clientId, ["identify"], redirectUri, null, options);
        const invitation = new Bot(clientId, 8, options);
        const url = await link.makeUrl({ codeVerifier });
        await thrownBy(() => api.accessToken(code, { codeVerifier }));
        await thrownBy(() => user.getCurrentUser());
        await thrownBy(() => bot.getGuild("1"));
        for (const shown of [api, user, bot, link, invitation, url]) {
          expect(leaksOf(shown, listOf(secrets))).toEqual([]);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("does not show in the error about a callback of another login", async () => {
    const expected = generateState();
    const received = generateState();
    const callback = new URLSearchParams({ code: usual.code, state: received });
    const error = await thrownBy(() => parseCallback(callback, { state: expected }));
    expect(error).toMatchObject({ name: "StateMismatchError" });
    expect(leaksOf(error, [usual.code, expected, received])).toEqual([]);
  });

  test("does not show in the error about a callback with two codes", async () => {
    const callback = new URLSearchParams({ code: usual.code, state: "s7ate" });
    callback.append("code", usual.accessToken);
    const error = await thrownBy(() => parseCallback(callback, { state: "s7ate" }));
    expect(error).toMatchObject({ name: "OAuthError" });
    expect(leaksOf(error, listOf(usual))).toEqual([]);
  });

  const { clientSecret, code, codeVerifier, accessToken, botToken } = usual;
  const api = () => new PlatformApi(clientId, clientSecret, ["identify"], redirectUri);
  const user = () => new User(accessToken);
  const tokens = [accessToken, botToken];

  test.each<[string, () => unknown]>([
    [
      "client id and secret swapped",
      () => new PlatformApi(clientSecret, clientId, ["identify"], redirectUri),
    ],
    [
      "client id and secret swapped in a link",
      () => new AuthUrl(clientSecret, ["identify"], redirectUri),
    ],
    ["a bot's token for its client id", () => new Bot(botToken)],
    [
      "a secret with a line break",
      () => new PlatformApi(clientId, `${clientSecret}\n`, ["identify"], redirectUri),
    ],
    [
      "a secret for the scope",
      () => new PlatformApi(clientId, clientSecret, clientSecret as never, redirectUri),
    ],
    [
      "a secret for a scope",
      () => new PlatformApi(clientId, clientSecret, [clientSecret + " "], redirectUri),
    ],
    [
      "a secret for the redirect URI",
      () => new PlatformApi(clientId, clientSecret, ["identify"], clientSecret),
    ],
    ["a secret for the timeout", () => new User(accessToken, { timeout: clientSecret as never })],
    [
      "a secret for the user agent",
      () => new User(accessToken, { userAgent: `${clientSecret}\n` }),
    ],
    ["a secret for fetch", () => new User(accessToken, { fetch: clientSecret as never })],
    [
      "a secret for the API's URL",
      () => new User(accessToken, { platform: { ...options.platform, apiUrl: clientSecret } }),
    ],
    ["credentials in the API's URL", () =>
      new User(accessToken, {
        platform: { ...options.platform, apiUrl: `https://${clientId}:${clientSecret}@host/` },
      })],
    ["a code with a line break", () => api().accessToken(`${code}\r\n`)],
    [
      "the verifier's options for the code",
      () => api().accessToken({ code, codeVerifier } as never),
    ],
    [
      "a verifier that is too long",
      () => api().accessToken(code, { codeVerifier: codeVerifier.repeat(3) }),
    ],
    [
      "a verifier that is too short",
      () => api().accessToken(code, { codeVerifier: codeVerifier.slice(0, 42) }),
    ],
    [
      "a verifier of other characters",
      () => api().accessToken(code, { codeVerifier: `${codeVerifier}=` }),
    ],
    [
      "a link with a wrong verifier",
      () =>
        new AuthUrl(clientId, ["identify"], redirectUri).makeUrl({
          codeVerifier: `${codeVerifier}=`,
        }),
    ],
    ...tokens.flatMap((token): [string, () => unknown][] => [
      ["a token with its type", () => new User(`Bearer ${token}`)],
      ["a token with a line break", () => new User(`${token}\n`)],
      ["a list of tokens", () => new User([token] as never)],
      ["a token for the type of it", () => new User(token, { tokenType: token as never })],
      ["a token for a guild's id", () => user().getGuild(token)],
      ["a token for the id to begin after", () => user().getUserGuilds({ after: token })],
      ["a token for a limit", () => user().getUserGuilds({ limit: token as never })],
    ]),
  ])("does not show in the error about %s", async (_what, call) => {
    const error = await thrownBy(call);
    expect(error).toSatisfy((thrown) =>
      thrown instanceof TypeError || thrown instanceof RangeError
    );
    const shortened = [codeVerifier.slice(0, 42)];
    expect(leaksOf(error, [...listOf(usual), ...shortened])).toEqual([]);
  });

  test.each<[string, (secret: string) => unknown, string]>([
    [
      "a secret of another platform, swapped",
      (secret) => new PlatformApi(secret, clientId, ["identify"], redirectUri),
      "hunter2hunter2",
    ],
    ["a short token with its type", (secret) => new User(`Bearer ${secret}`), "hunter2hunter2"],
    [
      "a short code with a line break",
      (secret) => api().accessToken(`${secret}\n`),
      "hunter2hunter2",
    ],
    [
      "a short verifier",
      (secret) => api().accessToken(code, { codeVerifier: secret }),
      "hunter2hunter2",
    ],
  ])("does not show in the error about %s, even if it is short", async (_what, call, secret) => {
    const error = await thrownBy(() => call(secret));
    expect(error).toBeInstanceOf(TypeError);
    expect(leaksOf(error, [secret])).toEqual([]);
  });

  test.each(["", "undefined", "null"])(
    "is not an unset variable, which the error shows: %j",
    async (unset) => {
      const found = unset || "an empty string";
      const shown = new RegExp(`received ${found}; is the variable set\\?$`);
      expect(() => new PlatformApi(clientId, unset, ["identify"], redirectUri)).toThrow(shown);
      expect(() => new PlatformApi(unset, clientSecret, ["identify"], redirectUri)).toThrow(shown);
      expect(() => new User(unset)).toThrow(shown);
      expect(String(await thrownBy(() => api().accessToken(unset)))).toMatch(shown);
    },
  );
});

describe("leaksOf()", () => {
  const secret = 'a"b/c\\d-hunter2-hunter3';
  const hidden = Object.defineProperty(new Error("no"), "request", {
    value: { headers: new Map([["authorization", `Bearer ${secret}`]]) },
    enumerable: false,
  });

  test.each<[string, unknown]>([
    ["in a message", new Error(secret)],
    ["in a cause", new Error("no", { cause: new Error("why", { cause: secret }) })],
    ["in a hidden property", hidden],
    ["in a key", { [`x${secret}`]: 1 }],
    [
      "behind a getter of a class",
      new (class {
        get token() {
          return secret;
        }
      })(),
    ],
    ["percent-encoded", new Error(encodeURIComponent(secret))],
    ["form-encoded", new Error(new URLSearchParams({ "": secret }).toString())],
    ["percent-encoded twice", new Error(encodeURIComponent(encodeURIComponent(secret)))],
    ["in JSON within JSON", new Error(JSON.stringify(JSON.stringify(secret)))],
    ["by code points", new Error(unicodeEscaped(secret))],
    ["in HTML", new Error(secret.replaceAll('"', "&quot;"))],
    ["in HTML by numbers", new Error(secret.replace(/[^]/g, (char) => `&#${char.charCodeAt(0)};`))],
    ["in HTML within HTML", new Error(secret.replace(/\w/g, (char) => `&amp;#x00${hexOf(char)};`))],
    ["by braced code points", new Error(secret.replace(/\w/g, (char) => `\\u{${hexOf(char)}}`))],
    ["in upper case", new Error(secret.toUpperCase())],
    ["without its end", new Error(`${secret.slice(0, -1)}…`)],
    ["without its beginning", new Error(`…${secret.slice(2)}`)],
    ["in base64", new Error(btoa(secret))],
  ])("finds a secret %s", (_where, value) => {
    expect(leaksOf(value, [secret])).not.toEqual([]);
    expect(leaksOf(value, ["another secret"])).toEqual([]);
  });
});

describe("The message about an error response", () => {
  const token = usual.accessToken;
  const eachOf = (escape: (code: number) => string) => (text: string) =>
    text.replace(/[^]/g, (char) => escape(char.charCodeAt(0)));
  const messageAbout = async (echo: string, secret = token): Promise<string> => {
    const refusing = fakeFetch(
      respondWith({ message: echo, errors: { [echo]: 1 } }, { status: 401 }),
    );
    const error = await thrownBy(() => new User(secret, refusing).getCurrentUser());
    expect(Object.keys((error as ApiError).errors ?? {})).toEqual([
      String(error).includes("([redacted])") ? "[redacted]" : echo,
    ]);
    return String(error);
  };

  test.each<[string, (token: string) => string]>([
    ["without their end", (text) => `bad header Bearer ${text.slice(0, -3)}…`],
    ["without their beginning", (text) => `…${text.slice(20)}`],
    ["in a part from the middle", (text) => text.slice(11, 23)],
    ["in their last twelve characters", (text) => text.slice(-12)],
    ["in pieces", (text) => text.replace(/.{6}/g, "$& ")],
    ["in lower case", (text) => text.toLowerCase()],
    ["as decimal entities", eachOf((code) => `&#${code};`)],
    ["as decimal entities without an end, filled up", eachOf((code) => `&#0${code} `)],
    ["as hexadecimal entities, filled up", eachOf((code) => `&#x000${code.toString(16)};`)],
    ["as entities in HTML", eachOf((code) => `&amp;#${code};`)],
    ["with entities in between", (text) => text.replace(/.{5}/g, "$&&nbsp;&quot;")],
    ["as \\x41", eachOf((code) => `\\x${code.toString(16)}`)],
    ["as \\u{41}", eachOf((code) => `\\u{${code.toString(16)}}`)],
    ["as \\u0041", eachOf((code) => `\\u00${code.toString(16)}`)],
    ["percent-encoded six times", eachOf((code) => `%${"25".repeat(6)}${code.toString(16)}`)],
  ])("hides credentials that the platform repeats %s", async (_how, echo) => {
    expect(await messageAbout(echo(token))).toMatch(/\(\[redacted\]\)$/);
  });

  test("hides twelve letters and digits of the credentials in any place", async () => {
    for (let start = 0; start + 12 <= token.length; start++) {
      expect(await messageAbout(token.slice(start, start + 12))).toContain("[redacted]");
    }
  });

  test.each(["c0", "c0rrect!", "c0rrect-7", "c0rrect-h0rse"])(
    "hides short credentials: %s",
    async (secret) => {
      expect(await messageAbout(`You sent ${secret}.`, secret)).toContain("[redacted]");
      expect(await messageAbout(`You sent %${secret}.`, secret)).toContain("[redacted]");
      expect(await messageAbout("You sent nothing.", secret)).toContain("You sent nothing.");
    },
  );

  test.each([
    ["seven letters of the credentials", token.slice(0, 7)],
    ["other letters", "401: Unauthorized &amp; 100%"],
    ["a text that is escaped many times", `%${"25".repeat(99)}`],
  ])("shows %s", async (_what, text) => {
    expect(await messageAbout(text)).toContain(text);
  });
});

/** The forms in which a server may repeat a text. */
const forms: ((text: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
  (text) => text.replace(/[^]/g, (char) => `%${hexOf(char)}`),
  (text) => new URLSearchParams({ "": text }).toString().slice(1),
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(JSON.stringify(text)),
  (text) => unicodeEscaped(text),
  (text) => text.replaceAll("/", "\\/"),
  (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  (text) => text.replace(/\W/g, (char) => `&#x${hexOf(char)};`),
  (text) => text.replace(/\W/g, (char) => `&#${char.charCodeAt(0)};`),
  (text) => text.replace(/[^]/g, (char) => `&#${char.charCodeAt(0)};`),
  (text) => text.replace(/[^]/g, (char) => `&amp;#x00${hexOf(char)};`),
  (text) => text.replace(/[^]/g, (char) => `\\x${hexOf(char)}`),
  (text) => text.replace(/[^]/g, (char) => `\\u{${hexOf(char)}}`),
  (text) => text.toUpperCase(),
  (text) => `${text.slice(0, -3)}…`,
  (text) => `…${text.slice(-15)}`,
  (text) =>
    `${text.slice(0, Math.floor(text.length / 2))} ${text.slice(Math.floor(text.length / 2))}`,
];

/** Returns a part of a request in one of the forms. The number chooses both. */
async function echoOf(request: Request, which: number): Promise<string> {
  const authorization = request.headers.get("authorization") ?? "";
  const credentials = authorization.replace(/^\w+ /, "");
  const body = await request.clone().text();
  const isJson = request.headers.get("content-type") === "application/json";
  const fields: Record<string, unknown> = isJson
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body));
  const carried = [
    authorization,
    credentials,
    authorization.startsWith("Basic ") ? atob(credentials) : credentials,
    // As a response, an empty list is right, and nothing is reported.
    body === "[]" ? "" : body,
    ...Object.values(fields).map(String),
    JSON.stringify([...request.headers]),
  ].filter(Boolean);
  const at = which % (carried.length * forms.length);
  return forms[at % forms.length]?.(carried[Math.floor(at / forms.length)] ?? "") ?? "";
}

function unicodeEscaped(text: string): string {
  return text.replace(/[^]/g, (char) => `\\u00${hexOf(char)}`);
}

function hexOf(char: string): string {
  return char.charCodeAt(0).toString(16);
}

/** Bodies that repeat a part of the request in every place. */
const hostileBodies: ((echo: string) => unknown)[] = [
  (echo) => ({ error: echo, error_description: echo, message: echo, code: echo }),
  (echo) => ({ error: "invalid_grant", error_description: `You sent ${echo}.` }),
  (echo) => ({ message: `You sent ${echo}.`, errors: { [echo]: { _errors: [echo] } } }),
  (echo) => ({ errors: [[{ a: { [`${echo}[]`]: [null, echo, { code: echo }] } }], echo] }),
  (echo) => ({ message: { [echo]: echo }, code: [echo], error: { [echo]: 1 }, global: echo }),
  (echo) => ({ id: echo, username: [echo], access_token: { [echo]: echo }, expires_in: echo }),
  (echo) => [{ id: echo, name: { [echo]: 1 }, [echo]: echo }, echo],
  (echo) => `<html><title>${echo}</title>`,
  (echo) => echo,
  (echo) => `{"message":"${echo}`,
  (echo) => `{"message":"${unicodeEscaped(echo)}","errors":{"${unicodeEscaped(echo)}":1}}`,
];

/** Responses that repeat a part of the request in body, headers and status text. */
const hostileResponder: fc.Arbitrary<Responder> = fc.record({
  status: fc.constantFrom(200, 302, 400, 401, 403, 404, 429, 500, 503),
  bodyOf: fc.constantFrom(...hostileBodies),
  which: fc.nat(),
}).map(({ status, bodyOf, which }): Responder => async (request) => {
  const echo = await echoOf(request, which);
  const headers = { location: `/?${echo}`, "x-ratelimit-scope": echo, "retry-after": echo };
  return respondWith(bodyOf(echo), { status, statusText: echo, headers })(request);
});

/** Errors that repeat a part of the request, thrown by `fetch` or by the body. */
const hostileFailure: fc.Arbitrary<Responder> = fc.record({
  within: fc.boolean(),
  which: fc.nat(),
}).map(({ within, which }): Responder => async (request) => {
  const echo = await echoOf(request, which);
  const cause = Object.assign(new Error(`connection ${echo} refused: ${echo}`), {
    name: echo,
    code: `ECONN${echo}`,
    request,
  });
  const error = Object.assign(new TypeError(`connection ${echo}`, { cause }), { code: echo });
  if (!within) throw error;
  return new Response(new ReadableStream({ pull: (body) => body.error(error) }));
});
