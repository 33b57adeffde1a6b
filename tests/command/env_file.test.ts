import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { Login } from "../../mod.ts";
import { envFileText } from "../../src/command/env_file.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

const redirectUri = "http://localhost:3000/callback";

test("an env file has the names of the variables, and a new secret", () => {
  const variables = parseEnv(envFileText(redirectUri));
  expect(variables).toEqual({
    DISCORD_CLIENT_ID: "",
    DISCORD_CLIENT_SECRET: "",
    DISCORD_REDIRECT_URI: redirectUri,
    LOGIN_SECRET: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(parseEnv(envFileText(redirectUri))).not.toEqual(variables);
});

test("the last three lines of an env file lead to the fake platform", () => {
  const lines = envFileText(redirectUri).trim().split("\n");
  const text = [...lines.slice(0, -3), ...lines.slice(-3).map((line) => line.slice(1))].join("\n");
  const variables = parseEnv(text);
  const platform = variables["DISCORD_PLATFORM"] ?? "";
  expect(variables["DISCORD_CLIENT_ID"]).toBe(sampleApplication.id);
  expect(variables["DISCORD_CLIENT_SECRET"]).toBe(sampleApplication.secret);
  expect(JSON.parse(platform)).toEqual(
    createFakePlatform({ origin: "http://127.0.0.1:8788" }).platform,
  );
  const create = () =>
    new Login({
      clientId: variables["DISCORD_CLIENT_ID"] ?? "",
      clientSecret: variables["DISCORD_CLIENT_SECRET"] ?? "",
      scope: ["identify"],
      secret: variables["LOGIN_SECRET"] ?? "",
      redirectUri: variables["DISCORD_REDIRECT_URI"] ?? "",
      platform,
    });
  expect(create).not.toThrow();
});
