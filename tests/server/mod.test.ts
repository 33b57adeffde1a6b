import { expect, test } from "vitest";
import * as all from "../../mod.ts";
import * as client from "../../src/server/mod.ts";

test("the server half has what talks to the platform and what that throws, the same as the whole has", () => {
  expect(Object.keys(client).sort()).toEqual([
    "ApiError",
    "GuildpassError",
    "MissingScopeError",
    "NetworkError",
    "OAuthError",
    "PayloadError",
    "PayloadTooLargeError",
    "PlatformApi",
    "RateLimitError",
    "TimeoutError",
    "User",
    "knownScopes",
  ]);
  expect(all).toMatchObject(client);
});
