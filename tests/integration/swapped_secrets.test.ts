import fc from "fast-check";
import { expect, test } from "vitest";
import {
  AuthUrl,
  Bot,
  codeChallenge,
  discord,
  MemoryStore,
  parseCallback,
  Permissions,
  PlatformApi,
  sealed,
  User,
} from "../../mod.ts";
import { leaksOf } from "../support/leaks.ts";

const id = "1024000000000000000";
const uri = "https://app.example/callback";
const fetch = () => Promise.reject(new Error("No request is sent with a wrong argument"));

/** A call with a wrong value for each argument, option and parameter. */
const places: Readonly<Record<string, (value: never) => unknown>> = {
  "AuthUrl clientId": (value) => new AuthUrl(value, ["identify"], uri),
  "AuthUrl scope": (value) => new AuthUrl(id, value, uri),
  "AuthUrl redirectUri": (value) => new AuthUrl(id, ["identify"], value),
  "AuthUrl permissions": (value) => new AuthUrl(id, ["bot"], uri, value),
  "AuthUrl authorizeUrl": (value) =>
    new AuthUrl(id, ["bot"], uri, 8, { platform: { ...discord, authorizeUrl: value } }),
  ...Object.fromEntries(
    [
      "state",
      "nonce",
      "codeVerifier",
      "prompt",
      "responseType",
      "guildId",
      "disableGuildSelect",
      "integrationType",
    ].map((name) => [
      `makeUrl ${name}`,
      (value: never) => new AuthUrl(id, ["identify"], uri).makeUrl({ [name]: value }),
    ]),
  ),
  "Bot clientId": (value) => new Bot(value),
  "Bot permissions": (value) => new Bot(id, value),
  "Bot scope": (value) => new Bot(id, 8, { scope: value }),
  "Bot guildId": (value) => new Bot(id).url({ guildId: value }),
  "codeChallenge": (value) => codeChallenge(value),
  "parseCallback input": (value) => parseCallback(value, { state: "expected" }),
  "parseCallback options": (value) => parseCallback("?code=c", value),
  "Permissions": (value) => new Permissions(value),
  "Permissions.add": (value) => new Permissions().add(value),
  "PlatformApi clientId": (value) => new PlatformApi(value, "secret", ["identify"], uri),
  "PlatformApi clientSecret": (value) => new PlatformApi(id, value, ["identify"], uri),
  "PlatformApi scope": (value) => new PlatformApi(id, "secret", value, uri),
  "PlatformApi redirectUri": (value) => new PlatformApi(id, "secret", ["identify"], value),
  "PlatformApi apiUrl": (value) =>
    new PlatformApi(id, "secret", ["identify"], uri, { platform: { ...discord, apiUrl: value } }),
  "PlatformApi cdnUrl": (value) =>
    new PlatformApi(id, "secret", ["identify"], uri, { platform: { ...discord, cdnUrl: value } }),
  "PlatformApi timeout": (value) =>
    new PlatformApi(id, "secret", ["identify"], uri, { timeout: value }),
  "PlatformApi fetch": (value) =>
    new PlatformApi(id, "secret", ["identify"], uri, { fetch: value }),
  "User accessToken": (value) => new User(value, { fetch }),
  "User tokenType": (value) => new User("t0ken", { tokenType: value }),
  "User freshFor": (value) => new User("t0ken", { freshFor: value, fetch }),
  "User userAgent": (value) => new User("t0ken", { userAgent: value, fetch }),
  "getUserGuilds before": (value) => new User("t0ken", { fetch }).getUserGuilds({ before: value }),
  "getUserGuilds after": (value) => new User("t0ken", { fetch }).getUserGuilds({ after: value }),
  "getUserGuilds limit": (value) => new User("t0ken", { fetch }).getUserGuilds({ limit: value }),
  "getUserGuilds withCounts": (value) =>
    new User("t0ken", { fetch }).getUserGuilds({ withCounts: value }),
  "getUserGuilds fresh": (value) => new User("t0ken", { fetch }).getUserGuilds({ fresh: value }),
  "getGuild id": (value) => new User("t0ken", { fetch }).getGuild(value),
  "sealed store": (value) => sealed(value, "a secret of 32 characters at least"),
  "sealed secrets": (value) => sealed(new MemoryStore(), value),
  "sealed older secret": (value) =>
    sealed(new MemoryStore(), ["a secret of 32 characters at least", value]),
  "getGuild withCounts": (value) => new User("t0ken", { fetch }).getGuild(id, value),
};

/** Wrong values with a secret. */
const forms: readonly ((secret: string) => unknown)[] = [
  (secret) => secret,
  (secret) => ` ${secret}\n`,
  (secret) => `Bearer ${secret}`,
  (secret) => `https://app.example/#access_token=${secret}`,
  (secret) => `https://user:${secret}@app.example/#`,
  (secret) => [secret],
  (secret) => [[secret]],
  (secret) => ({ [secret]: true }),
  (secret) => ({ [secret]: secret }),
  (secret) => new Map([[secret, secret]]),
  (secret) => ({ toString: () => secret }),
  (secret) => Promise.resolve(secret),
];

/**
 * Secrets in the form of the platform, in base64, and short ones. fast-check also tries the word "arguments", and each stack names the
 * function `throwBadArgument`.
 */
const anySecret = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{30,40}$/),
  fc.base64String({ minLength: 16 }).map((text) => `${text}/S3cret+`),
  fc.stringMatching(/^[a-zA-Z0-9]{12,20}$/),
).filter((secret) => !/argument/i.test(secret));

test.each(Object.entries(places))(
  "%s throws no error that shows a secret in its value",
  async (_, call) => {
    await fc.assert(
      fc.asyncProperty(anySecret, fc.constantFrom(...forms), async (secret, form) => {
        try {
          await call(form(secret) as never);
        } catch (error) {
          expect(leaksOf(error, [secret])).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  },
);
