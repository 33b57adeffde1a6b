import { OAuth2Scopes } from "discord-api-types/v10";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AuthUrl } from "../../src/links/auth_url.ts";
import { parseCallback } from "../../src/links/parse_callback.ts";
import { createFakePlatform, sampleApplication, sampleGuilds } from "../../src/testing/mod.ts";
import {
  approvalScopes,
  checkScopeSpelling,
  joinScopes,
  knownScopes,
} from "../../src/links/scopes.ts";

/** The error message for a misspelled scope, or nothing. */
function refusal(scope: string): string | undefined {
  try {
    checkScopeSpelling(["identify", scope]);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

describe("knownScopes", () => {
  test("has every scope of discord-api-types, and no scope twice", () => {
    expect(knownScopes).toEqual(expect.arrayContaining(Object.values(OAuth2Scopes)));
    expect(new Set(knownScopes).size).toBe(knownScopes.length);
  });
});

describe("approvalScopes", () => {
  const linkScopes = knownScopes.filter((scope) => scope !== "applications.commands.update");

  test.each(linkScopes)(
    "tells whether the platform refuses %s after the consent",
    async (scope) => {
      const fake = createFakePlatform();
      const { id, redirectUris: [redirectUri = ""] } = sampleApplication;
      const link = await new AuthUrl(id, ["identify", scope], redirectUri, null, fake)
        .makeUrl({ state: "s7ate", guildId: sampleGuilds[0].id });
      const callback = await fake.authorize(link);
      if (!approvalScopes.includes(scope)) {
        expect(parseCallback(callback, { state: "s7ate" }).code).not.toBe("");
      } else {
        expect(() => parseCallback(callback, { state: "s7ate" })).toThrow(expect.objectContaining({
          error: "invalid_scope",
          hint: expect.stringContaining("approvalScopes"),
        }));
      }
    },
  );
});

describe("joinScopes()", () => {
  test("joins each scope once", () => {
    expect(joinScopes(["guilds", "identify", "guilds"])).toBe("guilds identify");
  });
});

describe("checkScopeSpelling()", () => {
  test.each([
    ...knownScopes,
    "brand.new:scope_2",
    "https://auth.example/read",
    "a",
    "not",
    "robots",
  ])(
    "accepts %s",
    (scope) => {
      expect(refusal(scope)).toBeUndefined();
    },
  );

  test.each([
    ["Identify", "identify"],
    ["identity", "identify"],
    ["indentify", "identify"],
    ["idenitfy", "identify"],
    ["identfy", "identify"],
    ["identifyy", "identify"],
    ["guild", "guilds"],
    ["e-mail", "email"],
    ["conections", "connections"],
    ["guilds:join", "guilds.join"],
    ["guilds.member.read", "guilds.members.read"],
    ["application.commands", "applications.commands"],
    ["webhook.incomming", "webhook.incoming"],
    ["role_connection.write", "role_connections.write"],
    ["BOT", "bot"],
    ["bots", "bot"],
    ["boot", "bot"],
    ["bo", "bot"],
    ["rpcs", "rpc"],
    ["emial", "email"],
    ["voise", "voice"],
  ])("suggests for %s the scope %s", (misspelt, meant) => {
    expect(refusal(misspelt))
      .toBe(`scope[1] is not a known scope: did you mean "${meant}"?`);
  });

  test("finds every slip in every scope of five letters or more", () => {
    const long = knownScopes.filter((scope) => scope.replace(/[^a-z]/g, "").length >= 5);
    fc.assert(fc.property(fc.constantFrom(...long), fc.nat(), fc.nat(3), (scope, seed, kind) => {
      const at = seed % (scope.length - 1);
      const [before, after] = [scope.slice(0, at), scope.slice(at + 1)];
      const misspelt = [
        before + after,
        `${before}z${scope.slice(at)}`,
        `${before}z${after}`,
        before + scope[at + 1] + scope[at] + scope.slice(at + 2),
      ][kind] ?? "";
      fc.pre(!knownScopes.some((known) => known === misspelt));
      expect(refusal(misspelt)).toContain("did you mean");
    }));
  });
});
