import { expect, test } from "vitest";
import { loginRequiredError } from "../../src/tokens/kept_token.ts";

test.each(
  [
    ["no_token", "the store has none", "Start a new login"],
    [
      "unreadable",
      "the one in the store can't be opened",
      "Check the secret: it may differ from the one at the login. A new login replaces the token",
    ],
    [
      "no_refresh_token",
      "the last one has expired or was rejected, and has no refresh token",
      "Start a new login",
    ],
    [
      "refused",
      "the platform refused the refresh token. The user may have removed the application, or other code has used it",
      "Start a new login",
    ],
  ] as const,
)("A LoginRequiredError says why there is no token: %s", (reason, cause, hint) => {
  expect(loginRequiredError(reason)).toMatchObject({
    reason,
    message: `There is no valid token: ${cause}`,
    hint,
  });
});
