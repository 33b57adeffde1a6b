import { describe, expect, test } from "vitest";
import type { FakePlatformOptions } from "../../../src/testing/mod.ts";
import { ADA, APP, BOB, LOOMS, PUBLIC_APP, smallPlatform } from "../small_platform.ts";

describe("options that contradict each other", () => {
  test.each<[string, FakePlatformOptions]>([
    ["users[0].id must be a snowflake, a decimal string: found a string with more than digits", {
      users: [{ id: "x", username: "ada" }],
    }],
    ["users[0].id must be a snowflake, a decimal string: found undefined", {
      users: [JSON.parse(`{"username":"ada"}`)],
    }],
    ['users[0].id must be a snowflake, a decimal string: found "18446744073709551616"', {
      users: [{ id: "18446744073709551616", username: "ada" }],
    }],
    ['users[1].username must be a non-empty string: found ""', {
      users: [ADA, { id: "2", username: "" }],
    }],
    ["users ids must be unique: entries 0 and 1 are the same", {
      users: [ADA, { ...BOB, id: "1" }],
    }],
    ["usernames must be unique: entries 0 and 1 are the same", {
      users: [ADA, { ...ADA, id: "2" }],
    }],
    ['applications[0].id must be a snowflake, a decimal string: found ""', {
      applications: [{ id: "", secret: "s" }],
    }],
    ["applications[0].secret must be a non-empty string: found an empty string", {
      applications: [{ id: "1", secret: "" }],
    }],
    ["applications[0].secret must be a non-empty string: found undefined", {
      applications: [JSON.parse(`{"id":"1"}`)],
    }],
    [
      'applications[0].approvedScopes[0] must be a scope that needs the platform\'s approval: found "identify"',
      {
        applications: [{ id: "1", secret: "s", approvedScopes: ["identify"] }],
      },
    ],
    [
      "applications[0].approvedScopes[0] must be a scope that needs the platform's approval: found 1",
      {
        applications: [{ id: "1", secret: "s", approvedScopes: [1] }],
      },
    ],
    [
      'applications[0].redirectUris[0] must be an absolute URL without a fragment, or http://localhost:*: found "/cb"',
      {
        applications: [{ id: "1", secret: "s", redirectUris: ["/cb"] }],
      },
    ],
    [
      'applications[0].redirectUris[0] must be an absolute URL without a fragment, or http://localhost:*: found "a://b#"',
      {
        applications: [{ id: "1", secret: "s", redirectUris: ["a://b#"] }],
      },
    ],
    ['applications[0].owner_id must be the id of a user: found "9"', {
      applications: [{ id: "1", secret: "s", owner_id: "9" }],
    }],
    ["applications[0].owner_id must be the id of a user: found undefined", { users: [] }],
    ["applications ids must be unique: entries 0 and 1 are the same", { applications: [APP, APP] }],
    ["bot tokens must be unique: entries 0 and 1 are the same", {
      applications: [{ ...APP, botToken: "b" }, { ...PUBLIC_APP, botToken: "b" }],
    }],
    ["guilds[0].id must be a snowflake, a decimal string: found a string with more than digits", {
      guilds: [{ id: "0x1", name: "g" }],
    }],
    ['guilds[0].name must be a non-empty string: found ""', {
      guilds: [{ id: "1", name: "" }],
    }],
    ['guilds[0].members must name users of the platform: found "404"', {
      guilds: [{ id: "1", name: "g", members: { "404": {} } }],
    }],
    ["guilds[0].members must not have more than one owner: found 2", {
      guilds: [{ ...LOOMS, members: { "1": { owner: true }, "2": { owner: true } } }],
    }],
    ['guilds[0].owner_id must be the member with owner: true: found "2"', {
      guilds: [{ ...LOOMS, owner_id: "2" }],
    }],
    ['guilds[0].members["1"].permissions must be a decimal string: found "-1"', {
      guilds: [{ id: "1", name: "g", members: { "1": { permissions: "-1" } } }],
    }],
    ['guilds[0].bots must name applications of the platform: found "404"', {
      guilds: [{ id: "1", name: "g", bots: { "404": "0" } }],
    }],
    ['guilds[0].bots["100"] must be a decimal string: found "all"', {
      guilds: [{ id: "1", name: "g", bots: { "100": "all" } }],
    }],
    ["guilds ids must be unique: entries 0 and 2 are the same", {
      guilds: [LOOMS, { id: "71", name: "g" }, LOOMS],
    }],
    [
      'origin must be only the scheme, host and port of an HTTP server: found "https://a.test/b"',
      { origin: "https://a.test/b" },
    ],
    ['origin must be only the scheme, host and port of an HTTP server: found "a.test"', {
      origin: "a.test",
    }],
    ['origin must be only the scheme, host and port of an HTTP server: found "ftp://a.test"', {
      origin: "ftp://a.test",
    }],
    ["codeLifetime must be a positive number of seconds: found 0", { codeLifetime: 0 }],
    ["maxRequests must be a positive integer or Infinity: found 0", { maxRequests: 0 }],
    ["tokenLifetime must be a positive number of seconds: found NaN", { tokenLifetime: NaN }],
    ["rateLimits.limit must be a positive integer: found 0.5", { rateLimits: { limit: 0.5 } }],
    ["rateLimits.limit must be a positive integer: found 0", { rateLimits: { limit: 0 } }],
    ["rateLimits.windowMs must be a positive number: found Infinity", {
      rateLimits: { windowMs: Infinity },
    }],
    ["rateLimits.windowMs must be a positive number: found 0", { rateLimits: { windowMs: 0 } }],
    ['rateLimits.routes["GET /users/@me"].limit must be a positive integer: found -1', {
      rateLimits: { routes: { "GET /users/@me": { limit: -1 } } },
    }],
    ["rateLimits.global.limit must be a positive integer: found 0", {
      rateLimits: { global: { limit: 0 } },
    }],
  ])("cause the error %s", (message, options) => {
    expect(() => smallPlatform(options)).toThrow(new TypeError(message));
  });
});
