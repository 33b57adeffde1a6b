import { expect, test } from "vitest";
import { loginRequiredError } from "../../src/tokens/login_required.ts";

test.each(
  [
    ["no_token", "the store has none of this person that can be read"],
    [
      "no_refresh_token",
      "the last one has expired, or is not accepted any more, and it came without a refresh token",
    ],
    [
      "refused",
      "the platform refused the refresh token. The person may have removed the application, or " +
      "something else than this store has used the refresh token",
    ],
  ] as const,
)("A LoginRequiredError says why there is no token: %s", (reason, cause) => {
  expect(loginRequiredError(reason)).toMatchObject({
    reason,
    message: `There is no valid token: ${cause}`,
    hint: "Start a new login",
  });
});
