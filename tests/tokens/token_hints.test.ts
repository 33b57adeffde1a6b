import { describe, expect, test } from "vitest";
import { AuthUrl, type ClientOptions, OAuthError, parseCallback, PlatformApi } from "../../mod.ts";
import {
  clientHint,
  codeHint,
  deviceHint,
  expiredHint,
  isRefusedRefresh,
  refreshErrorOf,
  refreshHint,
} from "../../src/tokens/token_hints.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";

const { id, secret } = sampleApplication;
const redirectUri = "https://app.example/callback";

/** The hint for a response with status 400 that names this error and this description. */
async function hintFor(
  error: string,
  error_description: string,
  sent = redirectUri,
): Promise<string | undefined> {
  const options = fakeFetch(respondWith({ error, error_description }, { status: 400 }));
  const api = new PlatformApi(id, secret, ["identify"], sent, options);
  return await hintOf(() => api.accessToken("c0de"));
}

async function hintOf(call: () => Promise<unknown>): Promise<string | undefined> {
  const error = await thrownBy(call);
  expect(error).toBeInstanceOf(OAuthError);
  return (error as OAuthError).hint;
}

describe("the hint for a redirect URI that differs from that of the link", () => {
  const differs = /^redirectUri must be exactly the one in the link; it was (.*)$/;

  test.each(["invalid_grant", "invalid_request"])("is there for %s", async (error) => {
    expect(await hintFor(error, 'Invalid "redirect_uri" in request.')).toMatch(differs);
    expect(await hintFor(error, "redirect URI mismatch")).toMatch(differs);
  });

  test.each([
    ["https://app.example", "https://app.example"],
    ["https://app.example/callback/", "https://app.example/callback/"],
    ["https://APP.example:443/Callback", "https://APP.example:443/Callback"],
    ["com.example.app:/callback", "com.example.app:/callback"],
    ["https://app.example/callback?key=hunter2hunter2", "https://app.example/callback"],
    ["https://user:hunter2@app.example/callback", "https://app.example/callback"],
    ["https://user:hunter2@again@app.example/", "https://app.example/"],
    ["https:/user:hunter2@app.example/", "https:/app.example/"],
    ["https://app.example/@me", "https://app.example/@me"],
    ["com.example.app:/me@home", "com.example.app:/home"],
  ])(
    "shows what was sent by scheme, host and path only, to the letter: %s",
    async (sent, shown) => {
      const hint = await hintFor("invalid_grant", 'Invalid "redirect_uri" in request.', sent);
      expect(differs.exec(hint ?? "")?.[1]).toBe(shown);
    },
  );

  test("takes a number of steps that grows with the length of the URL only", () => {
    const mebibyte = 1 << 20;
    const questions = "?".repeat(mebibyte);
    const slashes = "/".repeat(mebibyte);
    const ats = "a@".repeat(mebibyte / 2);
    for (
      const [sent, shown] of [
        // An expression that looks for the end of the line would begin again at each question mark.
        [`https://app.example/${questions}\n`, "https://app.example/"],
        [`https:${slashes}`, `https:${slashes}`],
        [`https://${ats}app.example/`, "https://app.example/"],
        [`https://app.example/${ats}`, `https://app.example/${ats}`],
      ] as const
    ) {
      const hint = codeHint("invalid_grant", 'Invalid "redirect_uri" in request.', sent);
      expect(hint?.endsWith(`; it was ${shown}`)).toBe(true);
    }
  });

  test("appears when a link and an exchange have different ones", async () => {
    const fake = createFakePlatform();
    const [first = "", second = ""] = [sampleApplication.redirectUris[0], redirectUri];
    const link = await new AuthUrl(id, ["identify"], first, null, fake).makeUrl({ state: "s7ate" });
    const { code } = parseCallback(await fake.authorize(link), { state: "s7ate" });
    const api = new PlatformApi(id, secret, ["identify"], second, fake);
    expect(differs.exec(await hintOf(() => api.accessToken(code)) ?? "")?.[1]).toBe(second);
  });
});

describe("the hint for a code", () => {
  test.each([
    ["invalid_grant", 'Invalid "code" in request.'],
    ["invalid_request", 'Invalid "code" in request.'],
    ["invalid_grant", ""],
    ["invalid_grant", "grant request is invalid"],
  ])("names everything that the code is bound to: %s %s", async (error, description) => {
    expect(await hintFor(error, description)).toMatch(
      /^A code works once, .*codeVerifier.*redirectUri.* \(it was https:\S+\); start a new login$/,
    );
  });
});

test.each([
  ["invalid_grant", 'Invalid "code_verifier" in request.', /^codeVerifier must be the one/],
  ["invalid_request", "PKCE verification failed", /^codeVerifier must be the one/],
  ["invalid_request", "", /check the parameters of the link/],
  ["invalid_scope", 'Invalid "code" in request.', /scopes/],
])(
  "The hint for %s, %j, is about the parameter that it names",
  async (error, description, hint) => {
    expect(await hintFor(error, description)).toMatch(hint);
  },
);

describe("the hint for credentials that are wrong", () => {
  const wrong = async (clientSecret: string | null): Promise<string | undefined> => {
    const options: ClientOptions = fakeFetch(
      respondWith({ error: "invalid_client" }, { status: 401 }),
    );
    const api = new PlatformApi(id, clientSecret, ["identify"], redirectUri, options);
    return await hintOf(() => api.accessToken("c0de", { codeVerifier: "v".repeat(43) }));
  };

  test("says where the client secret is, and that resetting it ends the old one", async () => {
    const hint = /Developer Portal under OAuth2.* a reset invalidates the old one$/;
    expect(await wrong("wr0ng")).toMatch(hint);
    const api = new PlatformApi(id, "wr0ng", ["identify"], redirectUri, createFakePlatform());
    expect(await hintOf(() => api.accessToken("c0de"))).toMatch(hint);
  });

  test("says that the application must be a public client, if it has no secret", async () => {
    expect(await wrong(null)).toMatch(/^Without a client secret, .* public client/);
  });
});

describe("the hint for a refresh token that was refused", () => {
  const refused = async (error: string, error_description: string): Promise<OAuthError> => {
    const options = fakeFetch(respondWith({ error, error_description }, { status: 400 }));
    const api = new PlatformApi(id, secret, ["identify"], redirectUri, options);
    return await thrownBy(() => api.refresh("r3fresh")) as OAuthError;
  };

  test.each([
    ["invalid_grant", 'Invalid "refresh_token" in request'],
    ["invalid_request", 'Invalid "refresh_token" in request.'],
    ["invalid_grant", ""],
  ])("says that it will not work again: %s %j", async (...said) => {
    const error = await refused(...said);
    expect(error).toMatchObject({
      error: "invalid_grant",
      description: said[1],
      hint: expect.stringMatching(/^This refresh token will not work again.*start a new login$/),
    });
    expect(isRefusedRefresh(error)).toBe(true);
  });

  test.each([
    ["invalid_request", 'Invalid "client_id" in request.'],
    ["invalid_client", ""],
    ["unauthorized_client", 'Invalid "refresh_token" in request.'],
    ["temporarily_unavailable", "refresh_token"],
  ])("does not mention it when something else is wrong: %s %j", async (...said) => {
    const error = await refused(...said);
    expect(error).toMatchObject({ error: said[0] });
    expect(error.hint ?? "").not.toContain("refresh token");
    expect(isRefusedRefresh(error)).toBe(false);
  });
});

test("isRefusedRefresh() is true only for errors of the platform", () => {
  for (const error of [new Error("invalid_grant"), { error: "invalid_grant" }, null, undefined]) {
    expect(isRefusedRefresh(error)).toBe(false);
  }
});

test("An application that may not log in this way is told where its settings are", async () => {
  expect(await hintFor("unauthorized_client", "")).toMatch(/settings in the Developer Portal/);
});

describe("A hint", () => {
  test("about the application names the place of the setting", () => {
    const settings =
      "The application is not allowed to log in this way: check its settings in the Developer Portal under OAuth2";
    expect(clientHint("unauthorized_client", true)).toBe(settings);
    expect(clientHint("unauthorized_client", false)).toBe(settings);
    expect(clientHint("invalid_client", true)).toBe(
      "Without a client secret, the application must be a public client: turn that on in the Developer Portal under OAuth2, or pass " +
        "the clientSecret",
    );
    expect(clientHint("invalid_client", false)).toBeUndefined();
    expect(clientHint("invalid_grant", true)).toBeUndefined();
  });

  test("about a code says how it is bound, and that none was sent without a redirect URI", () => {
    expect(codeHint("invalid_grant", "", null)).toBe(
      "A code works once, for about 100 seconds, with the codeVerifier of its login and exactly the redirectUri of its link (it was " +
        "none); start a new login",
    );
    expect(codeHint("invalid_request", "The Code is wrong", null)).toMatch(/^A code works once/);
    expect(codeHint("invalid_request", "barcode, codes", null)).toBeUndefined();
    expect(codeHint("invalid_request", "Redirecturi", "https://a.example"))
      .toMatch(/it was https:\/\/a\.example$/);
  });

  test.each(["code_verifier", "codeVerifier", "Code challenge", "PKCE"])(
    "about the verifier is there for %s",
    (name) => {
      expect(codeHint("invalid_grant", `Invalid ${name}`, null)).toBe(
        "codeVerifier must be the one that the link was made with; start a new login",
      );
    },
  );

  test("about a refresh says why the token will not work again", () => {
    expect(refreshHint("invalid_grant")).toBe(
      "This refresh token will not work again: it was used before, has expired, or was revoked; start a new login",
    );
    expect(refreshHint("invalid_request")).toBeUndefined();
  });

  test("about a device says that its time is over, or that its code was used", () => {
    expect(expiredHint).toBe("The device was not authorized in time; start a new login");
    expect(deviceHint("expired_token")).toBe(expiredHint);
    expect(deviceHint("invalid_grant")).toBe(
      "A device code works once: the token may have been in an earlier response that got lost; start a new login",
    );
    expect(deviceHint("access_denied")).toBeUndefined();
  });
});

test.each([
  ["invalid_request", "refresh_token is wrong", "invalid_grant"],
  ["invalid_request", "Refresh Token", "invalid_grant"],
  ["invalid_request", "refreshtoken", "invalid_grant"],
  ["invalid_request", "the token", "invalid_request"],
  ["invalid_client", "refresh_token", "invalid_client"],
])("The error of a refused refresh for %s, %j, is %s", (error, description, found) => {
  expect(refreshErrorOf(error, description)).toBe(found);
});
