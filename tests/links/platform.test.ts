import { OAuth2Routes, RouteBases } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { AuthUrl } from "../../src/links/auth_url.ts";
import { Bot } from "../../src/links/bot.ts";
import { checkedBaseUrls, discord, type Platform } from "../../src/links/platform.ts";
import { installUrl } from "../../src/links/install_url.ts";
import { PlatformApi } from "../../src/api/platform_api.ts";
import { User } from "../../src/api/user.ts";
import { Login } from "../../src/login/mod.ts";
import { guildIconUrl } from "../../src/images/mod.ts";
import type { ClientOptions } from "../../src/http/options.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
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
    ["", "empty text; is the variable set?"],
    [Promise.resolve("https://host/"), "a Promise: await it"],
    ["javascript:alert(1)", "19 characters"],
    ["JavaScript://host/%0Aalert(1)", "29 characters"],
    ["data:text/html,hello", "20 characters"],
    ["javascript:https://host/", "24 characters"],
    ["discord.com/api", "15 characters"],
    ["//discord.com/api", "17 characters"],
    ["https://", "8 characters"],
    ["https:///path", "13 characters"],
    ["https://user:s3cret@host/", "25 characters"],
    ["https://s3cret@host/", "20 characters"],
    ["https://host/#", "14 characters"],
    ["https://host/#access_token=s3cret", "33 characters"],
    ["https://ho st/", "14 characters"],
    [5, "number"],
  ])("refuses %o", (url, received) => {
    expect(() => make({ ...discord, [name]: url })).toThrow(
      new TypeError(`platform.${name} must be an https URL, received ${received}`),
    );
  });

  test("refuses a line break at the end", () => {
    expect(() => make({ ...discord, [name]: "https://host/\n" })).toThrow(
      /^platform\.\w+ must be (an https URL, received 14 characters|the value alone, received U\+000a as character 14 of 14)/,
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
        `platform.${name} must be an https URL, or allowInsecure, received ${url.length} characters`,
      ),
    );
    expect(() => make({ ...discord, [name]: url, allowInsecure: true })).not.toThrow();
  });
});

describe.each(Object.entries(clientMakers))("%s", (_maker, make) => {
  test.each(["apiUrl", "cdnUrl"])("refuses a query in platform.%s", (name) => {
    expect(() => make({ ...discord, [name]: "https://host/?tenant=1" })).toThrow(
      `platform.${name} must be a URL without a query, received 22 characters`,
    );
  });

  test("refuses an address that can't be parsed", () => {
    expect(() => make({ ...discord, cdnUrl: "https://[host/" })).toThrow(
      "platform.cdnUrl must be a URL that can be parsed, received 14 characters",
    );
  });
});

const own = {
  authorizeUrl: "https://own.example/authorize",
  apiUrl: "https://own.example/api",
  cdnUrl: "https://own.example/cdn",
  issuer: "https://own.example",
};

/** Returns the addresses of the requests that a function sends, all of which fail. */
async function requestsOf(send: (options: ClientOptions) => Promise<unknown>): Promise<string[]> {
  const urls: string[] = [];
  const fetch = async (url: string) => {
    urls.push(url);
    return await Promise.resolve(Response.json({ code: 0 }, { status: 400 }));
  };
  await send({ fetch }).catch((error) => {
    if (error instanceof TypeError) throw error;
  });
  return urls;
}

const loginOptions = {
  clientId: "1",
  clientSecret: "s3cret",
  scope: ["identify"],
  secret: "Zq8rT2mLx0vKc7WnYb4PdH9sJf3GaUe6",
  redirectUri: "https://app.example/callback",
} as const;

/** Everything with the option, and an address that shows the platform. */
const users: Readonly<Record<string, (platform?: Platform | string | null) => Promise<unknown>>> = {
  Bot: async (platform) => await Promise.resolve(new Bot("1", 8, { platform }).href),
  AuthUrl: async (platform) =>
    await Promise.resolve(new AuthUrl("1", ["identify"], null, null, { platform }).href),
  installUrl: async (platform) => await Promise.resolve(installUrl("1", { platform })),
  iconUrl: async (platform) =>
    await Promise.resolve(guildIconUrl({ id: "1", icon: "abc" }, { platform })),
  User: async (platform) =>
    await requestsOf((options) => new User("t0ken", { ...options, platform }).getCurrentUser()),
  PlatformApi: async (platform) =>
    await requestsOf((options) =>
      new PlatformApi("1", "s3cret", ["identify"], null, { ...options, platform })
        .clientCredentials(["identify"])
    ),
  "Login#start": async (platform) => {
    const login = new Login({ ...loginOptions, platform });
    const response = await login.start(new Request("https://app.example/login"));
    return response.headers.get("location")?.split("?")[0];
  },
  "Login, asking who has logged in": async (platform) =>
    await requestsOf(async ({ fetch }) => {
      const login = new Login({ ...loginOptions, platform, fetch, onError: () => new Response() });
      const started = await login.start(new Request("https://app.example/login"));
      const state = new URL(started.headers.get("location") ?? "").searchParams.get("state");
      const cookie = started.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ");
      const callback = `https://app.example/callback?code=abcdefghij&state=${state}`;
      await login.handle(new Request(callback, { headers: { cookie } }));
    }),
};

describe.each(Object.entries(users))("%s", (_name, use) => {
  test("takes the JSON of a platform, as an environment variable has it", async () => {
    expect(await use(JSON.stringify(own))).toEqual(await use(own));
    expect(JSON.stringify(await use(own))).toContain("https://own.example/");
  });

  test.each([[""], [null], [undefined]])("leads to Discord with %o", async (unset) => {
    expect(await use(unset)).toEqual(await use(discord));
    expect(JSON.stringify(await use(unset))).toMatch(/https:\/\/(cdn\.)?discord(app)?\.com\//);
  });

  test.each([
    ["'{}'", "4 characters"],
    ["{", "1 characters"],
    ["5", "1 characters"],
    ["null", "null; is the variable set?"],
    ["undefined", "undefined; is the variable set?"],
    ["https://own.example", "19 characters"],
  ])("refuses the text %s", async (text, received) => {
    await expect((async () => await use(text))()).rejects.toThrow(
      new TypeError(
        `platform must be a platform or its JSON, without quotes, received ${received}`,
      ),
    );
  });

  test("refuses JSON with a wrong address", async () => {
    await expect((async () => await use("{}"))()).rejects.toThrow(
      /^platform\.(authorizeUrl|cdnUrl) must be an https URL, received undefined/,
    );
  });
});

test("A login at a platform in JSON checks the issuer and the id_token, and reads the user", async () => {
  const fake = createFakePlatform();
  const { id: clientId, secret: clientSecret } = sampleApplication;
  const login = new Login({
    ...loginOptions,
    clientId,
    clientSecret,
    scope: ["openid", "identify"],
    fetch: fake.fetch,
    platform: JSON.stringify(fake.platform),
  });
  const browser = fake.browser(async (request) =>
    await login.handle(request) ??
      Response.json((await login.session(request))?.user), { as: "grace" });
  expect(await (await browser.open("https://app.example/login")).json())
    .toMatchObject({ username: "grace" });
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
