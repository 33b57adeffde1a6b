import { describe, expect, test } from "vitest";
import { approvalScopes as linkedScopes, knownScopes } from "../../../src/links/scopes.ts";
import { includesScope as libraryIncludes } from "../../../src/resources/token.ts";
import {
  approvalScopes,
  grantAllows,
  includesScope,
  scopeDescriptions,
} from "../../../src/testing/world/scopes.ts";

describe("The fake platform agrees with the library", () => {
  test("on the scopes that need approval", () => {
    expect(approvalScopes).toEqual(linkedScopes);
  });

  test("on the documented scopes", () => {
    expect(Object.keys(scopeDescriptions).sort()).toEqual([...knownScopes].sort());
  });

  test("on the scopes that include others", () => {
    const pairs = knownScopes.flatMap((granted) => knownScopes.map((needed) => [granted, needed]));
    for (const [granted = "", needed = ""] of pairs) {
      expect([granted, needed, includesScope([granted], needed)])
        .toEqual([granted, needed, libraryIncludes([granted], needed)]);
    }
  });
});

test.each([
  ["applications.commands.update", [false, false, false, true]],
  ["bot", [true, true, false, false]],
  ["identify", [true, true, true, true]],
  ["role_connections.write", [true, false, false, false]],
  ["webhook.incoming", [true, false, false, false]],
])("grantAllows() names the grants for %s", (scope, expected) => {
  const grants = ["code", "implicit", "device", "client_credentials"] as const;
  expect(grants.map((grant) => grantAllows(grant, scope))).toEqual(expected);
});
