import { describe, expect, test } from "vitest";
import { discord, PlatformApi, User } from "../../mod.ts";
import { fakeFetch } from "../support/responders.ts";
import { getUser, respondWithUser } from "../support/calls.ts";

describe("the options of a client", () => {
  const url = "platform.apiUrl must be an https URL";
  const milliseconds = "timeout must be a number of milliseconds above 0 and below 2147483648";
  const bytes = "maxBytes must be a whole number of bytes above 0";
  const ascii = "userAgent must be printable ASCII";

  test.each<[string, object]>([
    [url, { platform: { ...discord, apiUrl: "discord.com/api" } }],
    [url, { platform: { ...discord, apiUrl: "https://" } }],
    [url, { platform: { ...discord, apiUrl: "https://user:pass@discord.com" } }],
    [url, { platform: { ...discord, apiUrl: undefined } }],
    [milliseconds, { timeout: 0 }],
    [milliseconds, { timeout: -1 }],
    [milliseconds, { timeout: NaN }],
    [milliseconds, { timeout: 2 ** 31 }],
    [milliseconds, { timeout: "5000" }],
    [ascii, { userAgent: "" }],
    [ascii, { userAgent: "two\nlines" }],
    [ascii, { userAgent: "näme" }],
    ["fetch must be a function", { fetch: "fetch" }],
    [bytes, { maxBytes: 0 }],
    [bytes, { maxBytes: -1 }],
    [bytes, { maxBytes: 1.5 }],
    [bytes, { maxBytes: NaN }],
    [bytes, { maxBytes: Infinity }],
    [bytes, { maxBytes: "8 MiB" }],
  ])("are refused if one is wrong: %s (%j)", (message, options) => {
    const clients = [
      () => new User("t0ken", options),
      () => new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options),
    ];
    for (const create of clients) {
      expect(create).toThrow(TypeError);
      expect(create).toThrow(`${message}, received`);
    }
  });

  test("may be null, which means the default", async () => {
    const { fetch, requests } = fakeFetch(respondWithUser);
    const none = { timeout: null, maxBytes: null, userAgent: null };
    await getUser({ ...none, fetch });
    await getUser({ fetch });
    const [first, second] = requests.map(({ url, headers }) => [url, ...headers]);
    expect(first).toEqual(second);
    expect(() => new User("t0ken", { ...none, fetch: null })).not.toThrow();
  });

  test("may have the longest timer as their timeout, or next to none", async () => {
    expect(await getUser({ ...fakeFetch(respondWithUser), timeout: 2 ** 31 - 1 })).toMatchObject({
      username: "ada",
    });
    expect(() => new User("t0ken", { timeout: 0.5 })).not.toThrow();
  });
});
