import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  GuildpassError,
  type GuildpassErrorOptions,
  LoginRequiredError,
  MissingScopeError,
  OAuthError,
  oauthHint,
  StateMismatchError,
  StoreTimeoutError,
} from "../../src/core/errors.ts";
import {
  ApiError,
  NetworkError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  TimeoutError,
} from "../../src/core/response_errors.ts";
import { IdTokenError, WebhookSignatureError } from "../../src/core/signature_errors.ts";

/** Each class once: an instance, its name, its code and the classes it descends from. */
const ERRORS = [
  [new OAuthError("invalid_grant"), "OAuthError", "oauth_error", []],
  [
    new StateMismatchError("another state", { reason: "different" }),
    "StateMismatchError",
    "state_mismatch",
    [],
  ],
  [
    new MissingScopeError("getUserGuilds()", { needed: ["guilds"], granted: ["identify"] }),
    "MissingScopeError",
    "missing_scope",
    [],
  ],
  [
    new LoginRequiredError("no token", { reason: "no_token" }),
    "LoginRequiredError",
    "login_required",
    [],
  ],
  [new ApiError("refused", { httpStatus: 404 }), "ApiError", "api_error", []],
  [
    new RateLimitError("too many", { httpStatus: 429, retryAfter: 1 }),
    "RateLimitError",
    "rate_limited",
    [ApiError],
  ],
  [new IdTokenError("no JWT", { reason: "malformed" }), "IdTokenError", "invalid_id_token", []],
  [new PayloadError("odd", { issues: [] }), "PayloadError", "invalid_payload", []],
  [
    new PayloadTooLargeError("large", { maxBytes: 10 }),
    "PayloadTooLargeError",
    "payload_too_large",
    [PayloadError],
  ],
  [new NetworkError("cut"), "NetworkError", "network_error", []],
  [
    new WebhookSignatureError("forged", { reason: "wrong" }),
    "WebhookSignatureError",
    "invalid_signature",
    [],
  ],
  [new StoreTimeoutError("slow"), "StoreTimeoutError", "store_timeout", []],
  [new TimeoutError("late"), "TimeoutError", "timeout", [NetworkError]],
  [new GuildpassError("any", { code: "api_error" }), "GuildpassError", "api_error", []],
] as const;

const CLASSES = [
  ApiError,
  GuildpassError,
  IdTokenError,
  LoginRequiredError,
  MissingScopeError,
  NetworkError,
  OAuthError,
  PayloadError,
  PayloadTooLargeError,
  RateLimitError,
  StateMismatchError,
  StoreTimeoutError,
  TimeoutError,
  WebhookSignatureError,
];

describe.each(ERRORS)("%s", (error, name, code, parents) => {
  test("descends only from its classes, GuildpassError and Error", () => {
    expect(error).toBeInstanceOf(Error);
    const ancestors: readonly unknown[] = [error.constructor, ...parents, GuildpassError];
    for (const Class of CLASSES) {
      expect(error instanceof Class, Class.name).toBe(ancestors.includes(Class));
    }
  });

  test("has its name, also at the head of its stack", () => {
    expect(error.name).toBe(name);
    expect(String(error)).toBe(`${name}: ${error.message}`);
    expect(error.stack).toContain(`${name}: ${error.message}`);
    // What Bun needs for that; it is not listed, so that printing the error does not repeat it.
    expect(Object.getOwnPropertyDescriptor(error, "name"))
      .toMatchObject({ value: name, enumerable: false });
  });

  test("keeps its name in a class of the caller's, and when a minifier renames its class", () => {
    class a extends (error.constructor as typeof GuildpassError) {}
    expect(a.prototype.name).toBe(name);
    const descendant = new a("any", { ...error });
    expect(descendant.name).toBe(name);
    expect(descendant.stack).toContain(`${name}: ${descendant.message}`);
  });

  test("has its code", () => {
    expect(error.code).toBe(code);
  });

  test("has no cause", () => {
    expect("cause" in error).toBe(false);
  });

  test("has the property hint only with a hint", () => {
    expect(Object.hasOwn(error, "hint")).toBe(error.hint !== undefined);
    expect(Object.keys(error).includes("hint")).toBe(error.hint !== undefined);
  });

  test("can be cloned, to be sent to another thread", () => {
    const clone = structuredClone(error);
    expect(clone).toBeInstanceOf(Error);
    expect(clone.message).toBe(error.message);
  });

  test("keeps its properties in JSON", () => {
    expect(JSON.parse(JSON.stringify(error))).toEqual({ ...error });
    expect({ ...error }).toMatchObject({ code });
  });
});

describe("isTemporary", () => {
  test.each<[string, GuildpassError, boolean]>([
    ["a network error", new NetworkError("cut"), true],
    ["a timeout", new TimeoutError("late"), true],
    ["a slow store", new StoreTimeoutError("slow"), true],
    ["a rate limit", new RateLimitError("busy", { httpStatus: 429, retryAfter: null }), true],
    ["a request that took too long", new ApiError("late", { httpStatus: 408 }), true],
    ["a broken server", new ApiError("down", { httpStatus: 500 }), true],
    ["a hidden redirect", new ApiError("found", { httpStatus: 0 }), false],
    ["a status just below", new ApiError("odd", { httpStatus: 499 }), false],
    ["a block", new ApiError("blocked", { httpStatus: 403, blockedByEdge: true }), true],
    ["a refusal", new ApiError("refused", { httpStatus: 403 }), false],
    ["a refused token", new ApiError("refused", { httpStatus: 401 }), false],
    ["a server_error in a callback", new OAuthError("server_error"), true],
    ["a temporarily_unavailable in a callback", new OAuthError("temporarily_unavailable"), true],
    ["any OAuth error with 500", new OAuthError("odd", { httpStatus: 500 }), true],
    ["any OAuth error with 408", new OAuthError("odd", { httpStatus: 408 }), true],
    ["a refused consent", new OAuthError("access_denied"), false],
    ["a used code", new OAuthError("invalid_grant", { httpStatus: 400 }), false],
    ["an unreadable response", new PayloadError("odd", { issues: [] }), false],
    ["a large response", new PayloadTooLargeError("large", { maxBytes: 10 }), false],
    ["a missing login", new LoginRequiredError("no token", { reason: "no_token" }), false],
    [
      "a missing scope",
      new MissingScopeError("getUserGuilds()", { needed: ["guilds"], granted: [] }),
      false,
    ],
    ["another login", new StateMismatchError("another state", { reason: "different" }), false],
    ["a forged id_token", new IdTokenError("forged", { reason: "signature" }), false],
    ["a forged event", new WebhookSignatureError("forged", { reason: "wrong" }), false],
    ["an error of the caller's", new GuildpassError("any", { code: "api_error" }), false],
  ])("of %s is right", (_what, error, isTemporary) => {
    expect(error.isTemporary).toBe(isTemporary);
    expect(error.retryAfter).toBeNull();
  });

  test.each([
    (details: GuildpassErrorOptions) => new GuildpassError("late", { code: "timeout", ...details }),
    (details: GuildpassErrorOptions) => new ApiError("down", { httpStatus: 503, ...details }),
    (details: GuildpassErrorOptions) => new OAuthError("server_error", details),
    (details: GuildpassErrorOptions) => new NetworkError("cut", { ...details }),
    (details: GuildpassErrorOptions) => new TimeoutError("late", { ...details }),
  ])("can be given, with the wait", (create) => {
    const given = { isTemporary: true, retryAfter: 2.5 };
    const error = create(given);
    expect(error).toMatchObject(given);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject(given);
  });

  test("that is false has no wait", () => {
    const error = new ApiError("down", { httpStatus: 503, isTemporary: false, retryAfter: 5 });
    expect(error).toMatchObject({ isTemporary: false, retryAfter: null });
  });

  test("is printed with the wait only if trying again helps", () => {
    const refused = new ApiError("refused", { httpStatus: 404, retryAfter: 5 });
    const busy = new ApiError("busy", { httpStatus: 503, retryAfter: 5 });
    const names = ["isTemporary", "retryAfter"];
    expect(names.filter((name) => inspect(refused).includes(name))).toEqual([]);
    expect(Object.keys(refused)).not.toEqual(expect.arrayContaining(names));
    expect(inspect(busy)).toMatch(/isTemporary: true,\s+retryAfter: 5,/);
    const late = new TimeoutError("late");
    expect(JSON.stringify(late)).toBe(
      '{"code":"timeout","isTemporary":true,"mayHaveArrived":true}',
    );
  });
});

describe("GuildpassError", () => {
  test("has the given hint", () => {
    const error = new GuildpassError("late", { code: "timeout", hint: "Try again" });
    expect(error).toMatchObject({ code: "timeout", message: "late", hint: "Try again" });
  });

  test.each([
    ["line breaks", "a\nb\r\nc", "a b c"],
    ["escape sequences of a terminal", "a\x1b[31mb", "a [31mb"],
    ["a null character and a tab", "a\0\tb", "a b"],
    ["the C1 controls", "a\x7f\x80\x9fb", "a b"],
    ["the line separators of Unicode", "a\u2028\u2029b", "a b"],
    ["marks that turn the direction of writing", "a\u202eb\u2066c\u200fd", "a b c d"],
  ])("has no %s in its message", (_, message, printed) => {
    expect(new GuildpassError(message, { code: "api_error" }).message).toBe(printed);
    expect(new OAuthError("x", { description: message }).message).toContain(`x (${printed})`);
  });

  test("keeps letters of every script, and emojis", () => {
    const message = "Zugriff verweigert – accès refusé – 拒否 – отказано – 👩‍👧 🚫";
    expect(new GuildpassError(message, { code: "api_error" }).message).toBe(message);
  });

  test("has a message of one line, whatever was said", () => {
    const unit = fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code));
    fc.assert(fc.property(fc.string({ unit }), (text) => {
      const { message } = new GuildpassError(text, { code: "api_error" });
      expect(message.split(/[\r\n\v\f\x85\u2028\u2029]/)).toHaveLength(1);
    }));
  });

  test("has a message of 1000 characters at the most", () => {
    expect(new GuildpassError("x".repeat(1000), { code: "api_error" }).message).toHaveLength(1000);
    expect(new GuildpassError("x".repeat(1001), { code: "api_error" }).message).toBe(
      "x".repeat(1000),
    );
  });
});

describe("OAuthError", () => {
  test("has the details of the platform", () => {
    const error = new OAuthError("invalid_scope", {
      description: "Unknown scope",
      httpStatus: 400,
    });
    expect(error).toMatchObject({
      error: "invalid_scope",
      description: "Unknown scope",
      httpStatus: 400,
      message: "The authorization failed: invalid_scope (Unknown scope)",
    });
  });

  test("has null for missing details", () => {
    const bare = { description: null, httpStatus: null };
    expect(new OAuthError("server_error")).toMatchObject(bare);
    expect(new OAuthError("server_error", {})).toMatchObject(bare);
    expect(new OAuthError("server_error", bare)).toMatchObject(bare);
    expect(new OAuthError("server_error").message)
      .toBe("The authorization failed: server_error");
  });
});

test("Every text of an error is one short line, not only its message", () => {
  const hostile = `a\u2028\x1b\u202eb${"x".repeat(2000)}`;
  const clean = `a b${"x".repeat(995)}`;
  expect(new OAuthError(hostile, { description: hostile }))
    .toMatchObject({ error: clean, description: clean });
  expect(new ApiError("refused", { httpStatus: 400, errors: { [hostile]: [hostile, 1, null] } }))
    .toMatchObject({ errors: { [clean]: [clean, 1, null] } });
  expect(new RateLimitError("no", { httpStatus: 429, retryAfter: null, scope: hostile }))
    .toMatchObject({ scope: clean });
  expect(new PayloadError("odd", { issues: [{ path: hostile, message: hostile }] }).issues)
    .toEqual([{ path: clean, message: clean }]);
});

test("OAuthError has no brackets for a description that is empty", () => {
  expect(new OAuthError("server_error", { description: "" }))
    .toMatchObject({ description: "", message: "The authorization failed: server_error" });
});

describe("The classes that have a reason", () => {
  test.each([
    new StateMismatchError("found", { reason: "no_state", hint: "Do that" }),
    new LoginRequiredError("found", { reason: "refused", hint: "Do that" }),
    new IdTokenError("found", { reason: "signature", hint: "Do that" }),
    new WebhookSignatureError("found", { reason: "stale", hint: "Do that" }),
  ])("have the given message and hint: %s", (error) => {
    expect(error).toMatchObject({ message: "found", hint: "Do that" });
    expect(error.reason).toMatch(/^(no_state|refused|signature|stale)$/);
  });
});

describe("MissingScopeError", () => {
  test("names the needed scopes, and the scopes of the token", () => {
    const details = { needed: ["guilds"], granted: ["identify", "email"] };
    const error = new MissingScopeError("getUserGuilds()", details);
    expect(error).toMatchObject(details);
    expect(error.message).toBe(
      "getUserGuilds() needs the scope guilds, but the token has identify email",
    );
    expect(error.hint)
      .toBe(
        "Add guilds to the option scope, and start a new login: " +
          "https://github.com/guildpass/sdk/blob/main/docs/scopes.md",
      );
    expect(Object.isFrozen(error.needed) && Object.isFrozen(error.granted)).toBe(true);
  });

  test("says that the token has no scope", () => {
    const error = new MissingScopeError("getCurrentUser()", { needed: ["identify"], granted: [] });
    expect(error.message).toBe("getCurrentUser() needs the scope identify, but the token has none");
  });
});

describe("oauthHint()", () => {
  test.each([
    ["access_denied", /user refused/],
    ["invalid_client", /clientId and clientSecret/],
    ["invalid_grant", /works once, for about 100 seconds.*redirectUri and codeVerifier/],
    ["invalid_request", /new login.*parameters of the link/],
    [
      "invalid_scope",
      /unknown scopes.*approval.*testers.*role_connections\.write with PKCE or the implicit grant/,
    ],
  ])("tells what to do about %s", (code, hint) => {
    expect(oauthHint(code)).toMatch(hint);
  });

  test.each(["server_error", "constructor", "__proto__", "toString", ""])(
    "has no hint for %o",
    (code) => {
      expect(oauthHint(code)).toBeUndefined();
    },
  );
});
