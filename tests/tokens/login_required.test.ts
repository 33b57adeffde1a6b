import { expect, test } from "vitest";
import { loginRequiredError } from "../../src/tokens/login_required.ts";

test.each(
  [
    ["no_token", "the store has none of this person", "Start a new login"],
    [
      "unreadable",
      "the store has one of this person that can't be opened",
      "Check the secret: it may be another one than at the login. A new login replaces what can't be opened",
    ],
    [
      "no_refresh_token",
      "the last one has expired or was rejected, and came without a refresh token",
      "Start a new login",
    ],
    [
      "refused",
      "the platform refused the refresh token. The person may have removed the application, or " +
      "something else has used it",
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
