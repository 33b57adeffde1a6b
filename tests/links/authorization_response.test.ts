import { describe, expect, test } from "vitest";
import { stateMismatchError } from "../../src/links/authorization_response.ts";

describe("stateMismatchError()", () => {
  test.each(
    [
      [
        "no_expected_state",
        "no state was expected",
        /cookie.*missing.*\(localhost is not.*start a new login$/,
      ],
      [
        "no_state",
        "it has no state",
        /^Start a new login.*needs a state.*page that begins it.*install link.*Linked Roles Verification URL of the application$/,
      ],
      ["different", "its state does not match", /^Start a new login.*second tab/],
      [
        "no_issuer",
        "it does not name its issuer",
        /^A platform that sends iss .* omit issuer$/,
      ],
      ["different_issuer", "its issuer does not match", /check issuer/],
    ] as const,
  )("says what was found and what to do about %s", (reason, found, hint) => {
    const error = stateMismatchError(reason);
    expect(error.message).toBe(`The callback does not belong to this login: ${found}`);
    expect(error.reason).toBe(reason);
    expect(error.hint).toMatch(hint);
  });
});
