import { describe, expect, test } from "vitest";
import {
  ApiError,
  GuildpassError,
  NetworkError,
  OAuthError,
  PayloadError,
  RateLimitError,
  StateMismatchError,
  StoreTimeoutError,
  TimeoutError,
} from "../../../mod.ts";
import { IdTokenError } from "../../../src/core/signature_errors.ts";
import {
  LoginError,
  lostCallbackError,
  tooManyFailuresError,
} from "../../../src/login/base/login_error.ts";
import { isWorthLogging } from "../../../src/login/base/error_kind.ts";
import { logoutQuestion, messageAbout } from "../../../src/login/pages/messages.ts";
import { pageResponse } from "../../../src/login/pages/message_page.ts";

const links = { loginPath: "/login?returnTo=%2Fa", logoutPath: "/logout", isLocal: false };
const request = new Request("https://app.example/callback");

const cases: readonly [string, unknown, number, string, boolean][] = [
  ["refused consent", new OAuthError("access_denied"), 403, "You canceled the login", false],
  [
    "a lost cookie",
    new StateMismatchError("found", { reason: "no_expected_state", hint: "hint" }),
    400,
    "This login can't be finished here",
    false,
  ],
  [
    "a used callback",
    new LoginError("found", { reason: "used", hint: "hint" }),
    400,
    "This login has expired",
    false,
  ],
  ["a used code", errorOf("invalid_grant"), 400, "This login has expired", true],
  [
    "another site",
    new LoginError("found", { reason: "cross_site", hint: "hint" }),
    403,
    "You weren't logged out",
    false,
  ],
  [
    "no HTTPS",
    new LoginError("found", { reason: "insecure_site", hint: "hint" }),
    500,
    "The address is wrong",
    true,
  ],
  ["no code", new OAuthError("invalid_request"), 400, "This link doesn't work", false],
  ["a made-up error", new OAuthError("x"), 400, "This link doesn't work", false],
  ["a scope", new OAuthError("invalid_scope"), 500, "Something went wrong", true],
  [
    "a request that was wrong",
    errorOf("invalid_request"),
    500,
    "Something went wrong",
    true,
  ],
  [
    "a refused token",
    new LoginError("found", { reason: "refused_token", hint: "hint" }),
    403,
    "Discord won't accept your login",
    true,
  ],
  [
    "another person",
    new LoginError("found", { reason: "other_person", hint: "hint" }),
    403,
    "That was a different login",
    false,
  ],
  [
    "another Login",
    new LoginError("found", { reason: "other_login", hint: "hint" }),
    500,
    "Something went wrong",
    true,
  ],
  ["too many requests", rateLimit(2.5), 503, "Discord is busy", true],
  ["a visitor's limit", tooManyFailuresError(60), 429, "Too many failed logins", false],
  ["a person's limit", rateLimit(2.5, { ofPerson: true }), 429, "Please wait a moment", true],
  [
    "a block",
    new ApiError("found", { httpStatus: 403, blockedByEdge: true, retryAfter: 30 }),
    503,
    "Discord is blocking this site",
    true,
  ],
  [
    "a block that lasts",
    rateLimit(2.5, { blockedByEdge: true }),
    503,
    "Discord is blocking this site",
    true,
  ],
  ["a store", new StoreTimeoutError("found"), 503, "This site is slow right now", true],
  ["no response", new NetworkError("found"), 502, "Discord isn't responding", true],
  ["no response in time", new TimeoutError("found"), 502, "Discord isn't responding", true],
  [
    "a strange response",
    new PayloadError("found", { issues: [] }),
    502,
    "Discord isn't responding",
    true,
  ],
  ["trouble", new ApiError("found", { httpStatus: 503 }), 502, "Discord isn't responding", true],
  [
    "a refusal",
    new ApiError("found", { httpStatus: 403 }),
    403,
    "Discord refused your login",
    true,
  ],
  [
    "an unknown user",
    new ApiError("found", { httpStatus: 404 }),
    403,
    "Discord refused your login",
    true,
  ],
  ["a law", new ApiError("found", { httpStatus: 451 }), 403, "Discord refused your login", true],
  [
    "an account that must be verified",
    new ApiError("found", { httpStatus: 403, platformCode: 40002 }),
    403,
    "Verify your Discord account",
    true,
  ],
  ["a strange error", new ApiError("found", { httpStatus: 0 }), 500, "Something went wrong", true],
  [
    "an outage in a callback",
    new OAuthError("server_error"),
    502,
    "Discord isn't responding",
    true,
  ],
  ["a wrong secret", errorOf("invalid_client"), 500, "Something went wrong", true],
  ["a database", new Error("password=hunter2"), 500, "Something went wrong", true],
  ["something else", "hunter2", 500, "Something went wrong", true],
];

/** The texts of the pages by their titles, with N in place of a number. */
const texts: Readonly<Record<string, string>> = {
  "You canceled the login": "Nothing was shared with this site. You can log in whenever you like.",
  "This login can't be finished here":
    "You probably began it in another browser or app. Go back there and try again, or log in here. You also see this " +
    "page if the login expired or your browser blocks cookies.",
  "This login has expired":
    "It took too long, or this page was already opened. Please log in again.",
  "This link doesn't work": "It isn't from Discord, or part of it is missing. Please log in again.",
  "You weren't logged out":
    "Another site tried to log you out of this one. If you want to log out, do it here.",
  "Discord won't accept your login":
    "Discord gave this site access to your account, then took it back. To fix this, open Discord and go to User Settings > " +
    "Authorized Apps. Remove this application there, then come back and log in again.",
  "That was a different login":
    "You chose a different account on Discord's page, or you were logged out here in the meantime. Nothing has changed. Log in with " +
    "the account you want to use, and try again.",
  "Discord is blocking this site":
    "Discord has blocked this site for a while. This isn't your fault. Please try again in N seconds.",
  "Too many failed logins":
    "They came from your network, but perhaps not from you. Please try again in N seconds.",
  "Please wait a moment":
    "Discord allows only a few requests per person in a short time, and you've used up yours. Please try again in N seconds.",
  "Discord is busy": "Too many people are logging in right now. Please try again in N seconds.",
  "This site is slow right now":
    "The site couldn't load its data in time. Please try again in a moment.",
  "Discord isn't responding":
    "Discord didn't respond as expected, so your login isn't complete. Please try again.",
  "Verify your Discord account":
    "Verify your email address or phone number on Discord first. Then log in here again.",
  "Discord refused your login": "Please log in again, and let us know if it keeps happening.",
  "The address is wrong": "Please open this site at its own address.",
  "Something went wrong":
    "This isn't your fault. Please try again, and let us know if it keeps happening.",
};

/** Returns the error for a response of the token endpoint. */
function errorOf(error: string): OAuthError {
  return new OAuthError(error, { httpStatus: 400 });
}

function rateLimit(
  retryAfter: number | null,
  details: Partial<ConstructorParameters<typeof RateLimitError>[1]> = {},
): RateLimitError {
  return new RateLimitError("found", { httpStatus: 429, retryAfter, ...details });
}

describe("messageAbout()", () => {
  test.each(cases)("%s", async (_what, error, status, title, isLogged) => {
    const message = messageAbout(error, links);
    expect(message).toMatchObject({ status, title, hint: undefined });
    expect(message.text.replace(/\d+/, "N")).toBe(texts[title]);
    expect(isWorthLogging(error)).toBe(isLogged);
    const response = pageResponse(message, request);
    expect(response.status).toBe(status);
    const page = await response.text();
    expect(page).toContain(`<h1>${title.replace("'", "&#39;")}</h1>`);
    const [, body = ""] = page.split("</style>");
    expect(body).not.toMatch(/found|hint|hunter2|undefined|<script/);
    // Every page of a wrong address would end in the same way.
    if (title !== "The address is wrong") expect(page).toMatch(/href="\/"/);
  });

  test.each([
    "unauthorized_client",
    "unsupported_response_type",
    "invalid_scope",
    "interaction_required",
    "login_required",
    "consent_required",
    "account_selection_required",
  ])("tells the application of %s in a callback, which the platform puts there", (code) => {
    const error = new OAuthError(code);
    expect(messageAbout(error, links)).toMatchObject({
      status: 500,
      title: "Something went wrong",
    });
    expect(isWorthLogging(error)).toBe(true);
  });

  test("asks to wait after an outage that the platform puts into a callback", () => {
    expect(messageAbout(new OAuthError("temporarily_unavailable"), links)).toMatchObject({
      status: 503,
      title: "Discord is busy",
      text: "Too many people are logging in right now. Please try again in a moment.",
    });
  });

  test("names both paths of a lost callback, escaped", async () => {
    const error = lostCallbackError("/<b>", "/callback");
    const message = messageAbout(error, links);
    expect(message).toMatchObject({
      status: 500,
      title: "The address is wrong",
      text:
        "The callback arrived at /<b>, but this login is served at /callback. This isn't your fault. Please let us know.",
    });
    expect(await pageResponse(message, request).text()).toContain("arrived at /&#60;b&#62;, but");
    expect(isWorthLogging(error)).toBe(true);
  });

  test("has a code of its own for refused consent", async () => {
    const asking = new Request(request, { headers: { accept: "application/json" } });
    const codeOf = async (error: unknown) =>
      (await pageResponse(messageAbout(error, links), asking).json()).error;
    expect(await codeOf(new OAuthError("access_denied"))).toBe("access_denied");
    expect(await codeOf(errorOf("invalid_client"))).toBe("oauth_error");
  });

  test.each([
    [null, "in a moment"],
    [0, "in 1 second"],
    [1.2, "in 2 seconds"],
    [90, "in 90 seconds"],
    [91, "in 2 minutes"],
    [301, "in 5 minutes"],
    [310, "in 6 minutes"],
    [3600, "in 60 minutes"],
    [5400, "in 90 minutes"],
    [7201, "in 2 hours"],
    [7600, "in 3 hours"],
    [86_400, "in 24 hours"],
    [86_401, "tomorrow"],
    [1e300, "tomorrow"],
  ])("tells a wait of %s s as %s", (retryAfter, words) => {
    for (const details of [{}, { ofPerson: true }, { blockedByEdge: true }]) {
      expect(messageAbout(rateLimit(retryAfter, details), links).text)
        .toContain(`Please try again ${words}.`);
    }
  });

  test("reads the wait off any error that has one", () => {
    const blocked = new ApiError("no", { httpStatus: 403, blockedByEdge: true, retryAfter: 45 });
    expect(messageAbout(blocked, links)).toMatchObject({
      retryAfter: 45,
      text: expect.stringContaining("Please try again in 45 seconds."),
    });
    const down = new ApiError("no", { httpStatus: 503, retryAfter: 7 });
    expect(messageAbout(down, links).retryAfter).toBe(7);
  });

  test("tells no wait after an error that states none", () => {
    const refusal = new ApiError("found", { httpStatus: 403 });
    for (const error of [refusal, new NetworkError("found"), rateLimit(null)]) {
      const message = messageAbout(error, links);
      expect(message.retryAfter).toBeNull();
      expect(pageResponse(message, request).headers.has("retry-after")).toBe(false);
    }
  });

  test("speaks of many people only where the limit is that of the application", () => {
    const textFor = (details: Partial<ConstructorParameters<typeof RateLimitError>[1]>) =>
      messageAbout(rateLimit(1, details), links).text;
    expect(textFor({})).toContain("Too many people are logging in");
    expect(textFor({ ofPerson: true })).not.toContain("people are");
    expect(textFor({ blockedByEdge: true })).not.toContain("people");
  });

  test("tells a person whose new token is refused where to remove the application", () => {
    const { text, actions } = messageAbout(
      new LoginError("found", { reason: "refused_token", hint: "hint" }),
      links,
    );
    expect(text).toMatch(
      /User Settings > Authorized Apps\. Remove this application there, .* log in again\.$/,
    );
    expect(actions[0]).toMatchObject({ label: "Log in" });
  });

  test("has a code of its own for a callback that the platform did not make", () => {
    expect(messageAbout(new OAuthError("x"), links).code).toBe("invalid_request");
  });

  test("offers to retry what may work the next time, and otherwise a new login", () => {
    const retry = { label: "Try again", href: "" };
    const labelFor = (error: unknown) => messageAbout(error, { ...links, retry }).actions[0]?.label;
    const may = [
      rateLimit(1),
      rateLimit(1, { ofPerson: true }),
      new ApiError("found", { httpStatus: 403, blockedByEdge: true }),
      new ApiError("found", { httpStatus: 403 }),
      new NetworkError("found"),
      new Error("found"),
      new PayloadError("found", { issues: [] }),
    ];
    expect(may.map(labelFor)).toEqual(may.map(() => "Try again"));
    const never = [
      new OAuthError("access_denied"),
      new LoginError("found", { reason: "used", hint: "hint" }),
      new ApiError("found", { httpStatus: 401 }),
      new IdTokenError("found", { reason: "signature", hint: "hint" }),
    ];
    expect(never.map(labelFor)).toEqual(never.map(() => "Log in"));
    const lost = new StateMismatchError("found", { reason: "no_state", hint: "hint" });
    expect(labelFor(lost)).toBe("Log in here");
  });

  test.each([[2.5, "3"], [1e300, "86400"]])(
    "sets Retry-After for a wait of %s s",
    (retryAfter, header) => {
      const response = pageResponse(messageAbout(rateLimit(retryAfter), links), request);
      expect(response.headers.get("retry-after")).toBe(header);
    },
  );

  test.each([
    [
      "a lost cookie",
      new StateMismatchError("found", { reason: "no_expected_state", hint: "hint" }),
    ],
    ["a used callback", new LoginError("found", { reason: "used", hint: "hint" })],
    ["a used code", errorOf("invalid_grant")],
  ])("says to look into the guild when the address names one: %s", (_what, error) => {
    const message = messageAbout(error, { ...links, namesGuild: true });
    expect(message).toEqual({
      status: 400,
      code: "state_mismatch",
      title: "Was the bot added?",
      text:
        "This page was opened twice, or too late. Check your server on Discord. If the bot isn't there, add it again.",
      actions: [{ label: "Go to the home page", href: "/" }],
      hint: undefined,
    });
    const { code, message: text, hint } = error;
    expect(messageAbout(error, { ...links, namesGuild: true, isLocal: true }).hint)
      .toBe(`${code}: ${text}${hint ? `. ${hint}` : ""}`);
  });

  test("leads a person who refuses further scopes back, also on this machine without a hint", () => {
    const error = new OAuthError("access_denied", { hint: "hint" });
    const message = messageAbout(error, { ...links, backPath: "/profile", isLocal: true });
    expect(message).toEqual({
      status: 403,
      code: "access_denied",
      title: "Nothing has changed",
      text:
        "You canceled on Discord's page, so nothing was shared. Your login here stays the same.",
      actions: [
        { label: "Go back", href: "/profile" },
        { label: "Go to the home page", href: "/" },
      ],
    });
    const canceled = messageAbout(error, { ...links, isLocal: true });
    expect(canceled).toMatchObject({ title: "You canceled the login", hint: undefined });
  });

  test("tells the developer on this machine where an error of the application is", () => {
    const error = new Error("a secret of the application");
    expect(messageAbout(error, { ...links, isLocal: true }).hint)
      .toBe("The server's terminal shows the error, or onError received it");
    expect(messageAbout(error, links).hint).toBeUndefined();
  });

  test("shows an error and its hint on this machine only", async () => {
    const error = new OAuthError("invalid_client", {
      description: "the platform's own words",
      httpStatus: 401,
      hint: "Check clientId and clientSecret",
    });
    const textOf = async (isLocal: boolean) =>
      await pageResponse(messageAbout(error, { ...links, isLocal }), request).text();
    expect(await textOf(true)).toContain(
      "<strong>For you as the developer:</strong> oauth_error: The authorization failed: invalid_client " +
        "(the platform&#39;s own words). Check clientId and clientSecret</p>",
    );
    expect(await textOf(false)).not.toMatch(/developer|oauth_error|invalid_client|own words|Check/);
    const withoutHint = new GuildpassError("found", { code: "timeout" });
    expect(messageAbout(withoutHint, { ...links, isLocal: true }).hint).toBe("timeout: found");
  });

  test("shows no text of a link to the callback, also on this machine", () => {
    const error = new OAuthError("invalid_scope", { description: "Run this", hint: "hint" });
    expect(messageAbout(error, { ...links, isLocal: true }).hint).toBe("hint");
  });
});

test("logoutQuestion() asks with a button, and tells the developer on this machine of the form", () => {
  const question = {
    status: 405,
    code: "method_not_allowed",
    title: "Do you want to log out?",
    text: "This logs you out in this browser.",
    actions: [
      { label: "Log out", href: "/logout", isPost: true },
      { label: "Go to the home page", href: "/" },
    ],
    hint: undefined,
  };
  expect(logoutQuestion(links)).toEqual(question);
  expect(logoutQuestion({ ...links, isLocal: true })).toEqual({
    ...question,
    hint:
      'On your pages, log out with a form: <form method="post" action="/logout"><button>Log out</button></form>',
  });
});

describe("A page", () => {
  test("runs and loads nothing, stays out of caches, and escapes its texts", async () => {
    const response = pageResponse({
      status: 400,
      code: "x",
      title: "<b>&\"'",
      text: "<img src=x onerror=alert(1)>",
      actions: [{ label: "<i>", href: '/"><script>alert(1)</script>' }],
      hint: "<u>",
    }, request);
    const policy = response.headers.get("content-security-policy") ?? "";
    const nonce = /style-src 'nonce-([\w-]{43})'/.exec(policy)?.[1] ?? expect.fail();
    expect(policy).toBe(
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "no-store",
      vary: "accept",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "content-type": "text/html; charset=utf-8",
    });
    const page = await response.text();
    expect(page).toContain(`<style nonce="${nonce}">`);
    expect(page).not.toMatch(/<b>|<img|<script|<i>|<u>/);
    expect(page).toContain("&#60;b&#62;&#38;&#34;&#39;");
  });

  test.each([
    ["application/json", "json"],
    ["application/json, text/plain, */*", "json"],
    ["text/html,application/json", "html"],
    ["*/*", "html"],
    [null, "html"],
  ])("has the format that the client accepts: %s", (accept, kind) => {
    const asking = new Request(request, { headers: accept === null ? {} : { accept } });
    const response = pageResponse(messageAbout(new OAuthError("access_denied"), links), asking);
    expect(response.headers.get("content-type")).toContain(kind);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});
