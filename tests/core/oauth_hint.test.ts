import { describe, expect, test } from "vitest";
import { oauthHint } from "../../src/core/oauth_hint.ts";

describe("oauthHint()", () => {
  test.each([
    ["access_denied", /person refused/],
    ["invalid_client", /clientId and clientSecret/],
    ["invalid_grant", /works once, for about 100 seconds.*redirectUri and codeVerifier/],
    ["invalid_request", /new login.*parameters of the link/],
    [
      "invalid_scope",
      /unknown scopes.*not approved.*testers.*role_connections\.write with PKCE or the implicit grant/,
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
