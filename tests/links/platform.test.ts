import { OAuth2Routes, RouteBases } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { discord } from "../../src/links/platform.ts";

describe("discord", () => {
  test("has the addresses that discord-api-types has", () => {
    expect(discord).toEqual({
      authorizeUrl: OAuth2Routes.authorizationURL.replace("/api/v10", ""),
      apiUrl: RouteBases.api,
      cdnUrl: RouteBases.cdn,
    });
  });

  test("has the addresses of the platform's documentation", () => {
    expect(discord).toEqual({
      authorizeUrl: "https://discord.com/oauth2/authorize",
      apiUrl: "https://discord.com/api/v10",
      cdnUrl: "https://cdn.discordapp.com",
    });
  });

  test("can't be changed", () => {
    expect(Object.isFrozen(discord)).toBe(true);
  });
});
