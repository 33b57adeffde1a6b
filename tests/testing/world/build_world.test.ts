import { describe, expect, test } from "vitest";
import type { FakePlatformOptions } from "../../../src/testing/mod.ts";
import { ADA, APP, BOB, LOOMS, PUBLIC_APP, smallPlatform } from "../small_platform.ts";

describe("options that contradict each other", () => {
  test.each<[string, FakePlatformOptions]>([
    ["users[0].id must be a snowflake, a decimal string, received a string with more than digits", {
      users: [{ id: "x", username: "ada" }],
    }],
    ["users[0].id must be a snowflake, a decimal string, received undefined", {
      users: [JSON.parse(`{"username":"ada"}`)],
    }],
    ['users[0].id must be a snowflake, a decimal string, received "18446744073709551616"', {
      users: [{ id: "18446744073709551616", username: "ada" }],
    }],
    ['users[1].username must be a non-empty string, received ""', {
      users: [ADA, { id: "2", username: "" }],
    }],
    ["users ids must be unique: entries 0 and 1 are the same", {
      users: [ADA, { ...BOB, id: "1" }],
    }],
    ["usernames must be unique: entries 0 and 1 are the same", {
      users: [ADA, { ...ADA, id: "2" }],
    }],
    ['applications[0].id must be a snowflake, a decimal string, received ""', {
      applications: [{ id: "", secret: "s" }],
    }],
    ["applications[0].secret must be a non-empty string, received an empty string", {
      applications: [{ id: "1", secret: "" }],
    }],
    ["applications[0].secret must be a non-empty string, received undefined", {
      applications: [JSON.parse(`{"id":"1"}`)],
    }],
    [
      'applications[0].approvedScopes[0] must be a scope that needs the platform\'s approval, received "identify"',
      {
        applications: [{ id: "1", secret: "s", approvedScopes: ["identify"] }],
      },
    ],
    [
      "applications[0].approvedScopes[0] must be a scope that needs the platform's approval, received 1",
      {
        applications: [{ id: "1", secret: "s", approvedScopes: [1] }],
      },
    ],
    [
      'applications[0].redirectUris[0] must be an absolute URL without a fragment, or http://localhost:*, received "/cb"',
      {
        applications: [{ id: "1", secret: "s", redirectUris: ["/cb"] }],
      },
    ],
    [
      'applications[0].redirectUris[0] must be an absolute URL without a fragment, or http://localhost:*, received "a://b#"',
      {
        applications: [{ id: "1", secret: "s", redirectUris: ["a://b#"] }],
      },
    ],
    ['applications[0].owner_id must be the id of a user, received "9"', {
      applications: [{ id: "1", secret: "s", owner_id: "9" }],
    }],
    ["applications[0].owner_id must be the id of a user, received undefined", { users: [] }],
    ["applications ids must be unique: entries 0 and 1 are the same", { applications: [APP, APP] }],
    ["bot tokens must be unique: entries 0 and 1 are the same", {
      applications: [{ ...APP, botToken: "b" }, { ...PUBLIC_APP, botToken: "b" }],
    }],
    [
      "guilds[0].id must be a snowflake, a decimal string, received a string with more than digits",
      {
        guilds: [{ id: "0x1", name: "g" }],
      },
    ],
    ['guilds[0].name must be a non-empty string, received ""', {
      guilds: [{ id: "1", name: "" }],
    }],
    ['guilds[0].members must use the ids of users of the platform, received "404"', {
      guilds: [{ id: "1", name: "g", members: { "404": {} } }],
    }],
    ["guilds[0].members must not have more than one owner, received 2", {
      guilds: [{ ...LOOMS, members: { "1": { owner: true }, "2": { owner: true } } }],
    }],
    ['guilds[0].owner_id must be the member with owner: true, received "2"', {
      guilds: [{ ...LOOMS, owner_id: "2" }],
    }],
    ['guilds[0].members["1"].permissions must be a decimal string, received "-1"', {
      guilds: [{ id: "1", name: "g", members: { "1": { permissions: "-1" } } }],
    }],
    ['guilds[0].bots must use the ids of applications of the platform, received "404"', {
      guilds: [{ id: "1", name: "g", bots: { "404": "0" } }],
    }],
    ['guilds[0].bots["100"] must be a decimal string, received "all"', {
      guilds: [{ id: "1", name: "g", bots: { "100": "all" } }],
    }],
    ["guilds ids must be unique: entries 0 and 2 are the same", {
      guilds: [LOOMS, { id: "71", name: "g" }, LOOMS],
    }],
    [
      'origin must be only the scheme, host and port of an HTTP server, received "https://a.test/b"',
      { origin: "https://a.test/b" },
    ],
    ['origin must be only the scheme, host and port of an HTTP server, received "a.test"', {
      origin: "a.test",
    }],
    ['origin must be only the scheme, host and port of an HTTP server, received "ftp://a.test"', {
      origin: "ftp://a.test",
    }],
    ["codeLifetime must be a positive number of seconds, received 0", { codeLifetime: 0 }],
    ["maxRequests must be a positive integer or Infinity, received 0", { maxRequests: 0 }],
    ["tokenLifetime must be a positive number of seconds, received NaN", { tokenLifetime: NaN }],
    ["rateLimits.limit must be a positive integer, received 0.5", { rateLimits: { limit: 0.5 } }],
    ["rateLimits.limit must be a positive integer, received 0", { rateLimits: { limit: 0 } }],
    ["rateLimits.windowMs must be a positive number, received Infinity", {
      rateLimits: { windowMs: Infinity },
    }],
    ["rateLimits.windowMs must be a positive number, received 0", { rateLimits: { windowMs: 0 } }],
    ['rateLimits.routes["GET /users/@me"].limit must be a positive integer, received -1', {
      rateLimits: { routes: { "GET /users/@me": { limit: -1 } } },
    }],
    ["rateLimits.global.limit must be a positive integer, received 0", {
      rateLimits: { global: { limit: 0 } },
    }],
  ])("cause the error %s", (message, options) => {
    expect(() => smallPlatform(options)).toThrow(new TypeError(message));
  });
});
