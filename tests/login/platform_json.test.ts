import { describe, expect, test } from "vitest";
import {
  AuthUrl,
  Bot,
  type ClientOptions,
  discord,
  guildIconUrl,
  installUrl,
  Login,
  type Platform,
  PlatformApi,
  User,
} from "../../mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

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
    ["'{}'", "a string of length 4"],
    ["{", "a string of length 1"],
    ["5", "a string of length 1"],
    ["null", "null; is the variable set?"],
    ["undefined", "undefined; is the variable set?"],
    ["https://own.example", "a string of length 19"],
    [true, "boolean"],
    [3, "number"],
  ])("refuses the value %s", async (value, received) => {
    await expect((async () => await use(value as string))()).rejects.toThrow(
      new TypeError(
        "platform must be an object, or the JSON from npx @guildpass/sdk fake without quotes around it, " +
          `received ${received}`,
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
