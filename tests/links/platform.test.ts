import { OAuth2Routes, RouteBases } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { AuthUrl } from "../../src/links/auth_url.ts";
import { Bot } from "../../src/links/bot.ts";
import { checkedBaseUrls, discord, type Platform } from "../../src/links/platform.ts";
import { installUrl } from "../../src/links/install_url.ts";
import { PlatformApi } from "../../src/api/platform_api.ts";
import { User } from "../../src/api/user.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import { processorTime } from "../support/processor_time.ts";

describe("discord", () => {
  test("has the addresses of discord-api-types", () => {
    expect(discord).toEqual({
      authorizeUrl: OAuth2Routes.authorizationURL.replace("/api/v10", ""),
      apiUrl: RouteBases.api,
      cdnUrl: RouteBases.cdn,
      issuer: new URL(RouteBases.api).origin,
    });
  });

  test("has the addresses of the platform's documentation", () => {
    expect(discord).toEqual({
      authorizeUrl: "https://discord.com/oauth2/authorize",
      apiUrl: "https://discord.com/api/v10",
      cdnUrl: "https://cdn.discordapp.com",
      issuer: "https://discord.com",
    });
  });

  test("can't be changed", () => {
    expect(Object.isFrozen(discord)).toBe(true);
  });
});

/** Everything that is made with a platform, and checks its authorize page. */
const linkMakers = {
  Bot: (platform: unknown) => new Bot("1", 8, { platform: platform as Platform }),
  AuthUrl: (platform: unknown) =>
    new AuthUrl("1", ["identify"], "https://app.example/", 8, { platform: platform as Platform }),
  installUrl: (platform: unknown) => installUrl("1", { platform: platform as Platform }),
};

/** Everything that sends requests, and checks all addresses. */
const clientMakers = {
  PlatformApi: (platform: unknown) =>
    new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", {
      platform: platform as Platform,
    }),
  User: (platform: unknown) => new User("t0ken", { platform: platform as Platform }),
};

const addresses = ["authorizeUrl", "apiUrl", "cdnUrl"] as const;

/** Each maker with each of the addresses it checks. */
const checks = [
  ...Object.entries(linkMakers).map(([maker, make]) => [maker, "authorizeUrl", make] as const),
  ...Object.entries(clientMakers).flatMap(([maker, make]) =>
    addresses.map((name) => [maker, name, make] as const)
  ),
];

describe.each(checks)("%s, given platform.%s,", (_maker, name, make) => {
  test.each([
    [undefined, "undefined; is the variable set?"],
    ["", "an empty string; is the variable set?"],
    [Promise.resolve("https://host/"), "a Promise: await it"],
    ["javascript:alert(1)", "a string of length 19"],
    ["JavaScript://host/%0Aalert(1)", "a string of length 29"],
    ["data:text/html,hello", "a string of length 20"],
    ["javascript:https://host/", "a string of length 24"],
    ["discord.com/api", "a string of length 15"],
    ["//discord.com/api", "a string of length 17"],
    ["https://", "a string of length 8"],
    ["https:///path", "a string of length 13"],
    ["https://user:s3cret@host/", "a string of length 25"],
    ["https://s3cret@host/", "a string of length 20"],
    ["https://host/#", "a string of length 14"],
    ["https://host/#access_token=s3cret", "a string of length 33"],
    ["https://ho st/", "a string of length 14"],
    [5, "number"],
  ])("refuses %o", (url, received) => {
    expect(() => make({ ...discord, [name]: url })).toThrow(
      new TypeError(`platform.${name} must be an https URL, received ${received}`),
    );
  });

  test("refuses a line break at the end", () => {
    expect(() => make({ ...discord, [name]: "https://host/\n" })).toThrow(
      /^platform\.\w+ must (be an https URL, received a string of length 14|not contain U\+000a at character 14)/,
    );
  });

  test.each([
    "https://host",
    "https://host:8443/base/",
    "http://localhost/",
    "http://localhost:8787",
    "http://localhost",
    "http://127.0.0.1:8787/api",
    "http://127.1.2.3/api",
    "http://[::1]:8787/api",
    new URL("https://host/base"),
  ])("accepts %s", (url) => {
    expect(() => make({ ...discord, [name]: url })).not.toThrow();
  });

  test("accepts null instead of a platform", () => {
    expect(() => make(null)).not.toThrow();
    expect(() => make(undefined)).not.toThrow();
  });

  test.each([
    "http://host/",
    "http://localhost.host/",
    "http://127.0.0.1.host/",
    "http://host/http://localhost/",
    "http://host/https:",
    "http://192.168.0.1/",
  ])("refuses %s unless allowInsecure is true", (url) => {
    expect(() => make({ ...discord, [name]: url })).toThrow(
      new TypeError(
        `platform.${name} must be an https URL, or set allowInsecure, received a string of length ${url.length}`,
      ),
    );
    expect(() => make({ ...discord, [name]: url, allowInsecure: true })).not.toThrow();
  });
});

describe.each(Object.entries(clientMakers))("%s", (_maker, make) => {
  test.each(["apiUrl", "cdnUrl"])("refuses a query in platform.%s", (name) => {
    expect(() => make({ ...discord, [name]: "https://host/?tenant=1" })).toThrow(
      `platform.${name} must be a URL without a query, received a string of length 22`,
    );
  });

  test("refuses an address that can't be parsed", () => {
    expect(() => make({ ...discord, cdnUrl: "https://[host/" })).toThrow(
      "platform.cdnUrl must be a valid URL, received a string of length 14",
    );
  });
});

test("A wrong JSON text is not shown in the error", () => {
  expect(() => new User("t0ken", { platform: '{"apiUrl":"s3cret' })).not.toThrow(/s3cret/);
});

test("The slashes at the end of a base URL are left out", () => {
  const bases = { apiUrl: "https://host/api//", cdnUrl: "https://host//cdn/" };
  expect(checkedBaseUrls({ ...discord, ...bases }))
    .toEqual({ apiUrl: "https://host/api", cdnUrl: "https://host//cdn" });
});

test("A platform URL with a hundred thousand slashes is read at once", () => {
  const apiUrl = `https://platform.example${"/".repeat(100_000)}api`;
  const time = processorTime(() => new User("t0ken", { platform: { ...discord, apiUrl } }));
  expect(time).toBeLessThan(2000);
});

test.each(Object.entries(clientMakers))(
  "%s says which part of a fake platform is the platform",
  (_maker, make) => {
    expect(() => make(createFakePlatform()))
      .toThrow(new TypeError("platform must have URLs: pass fake.platform"));
  },
);

test.each(Object.entries(clientMakers))(
  "%s names a misspelled URL of a platform",
  (_maker, make) => {
    expect(() => make({ authorizeUrl: "https://a.example/", apiURL: "https://a.example/" }))
      .toThrow(new TypeError("platform.apiURL is unknown: did you mean apiUrl?"));
    expect(() => make({ authorizeUrl: "https://a.example/" }))
      .toThrow("platform.apiUrl must be an https URL, received undefined");
    expect(() => make({ ...discord, name: "Discord" })).not.toThrow();
  },
);
