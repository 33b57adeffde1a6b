import { expect, test } from "vitest";
import type { FakePlatform } from "../../src/testing/mod.ts";
import { authorizeLink, smallPlatform } from "./small_platform.ts";

const handler = () => new Response("hello");

/** Calls each method with options of a fake platform. */
const calls: Record<string, (fake: FakePlatform, options: object) => unknown> = {
  authorize: (fake, options) => fake.authorize(authorizeLink(fake), options),
  authorizeActivity: (fake, options) => fake.authorizeActivity(options),
  authorizeDevice: (fake, options) => fake.authorizeDevice("ABCDEFGH", options),
  browser: (fake, options) => fake.browser(handler, options),
  issueToken: (fake, options) => fake.issueToken(options),
  login: (fake, options) => fake.login(handler, options),
  removeApplication: (fake, options) => fake.removeApplication(options),
  sendWebhookEvent: (fake, options) => fake.sendWebhookEvent(handler, "PING", options),
};

test.each<[string, object, string]>([
  ["authorize", { guildID: "70" }, "options.guildID is unknown: did you mean guildId?"],
  ["authorize", { as: 7 }, "as must be a string, received 7"],
  ["authorize", { permissions: 8 }, "permissions must be a decimal string, received 8"],
  ["authorizeActivity", { scope: ["identify"] }, "options.scope is unknown: did you mean scopes?"],
  ["authorizeActivity", { codeChallenge: 1 }, "codeChallenge must be a string, received 1"],
  ["authorizeDevice", { guildId: "70" }, "options.guildId is unknown: known names: as"],
  ["browser", { cancle: true }, "options.cancle is unknown: did you mean cancel?"],
  ["browser", { cancel: "yes" }, 'cancel must be true or false, received "yes"'],
  ["issueToken", { scope: ["guilds"] }, "options.scope is unknown: did you mean scopes?"],
  ["issueToken", { scopes: "guilds" }, "scopes must be a list, received a string"],
  ["login", { returnto: "/shop" }, "options.returnto is unknown: did you mean returnTo?"],
  ["login", { loginUrl: "/login" }, 'loginUrl must be an absolute URL, received "/login"'],
  ["login", { jar: {} }, "jar must be a CookieJar, received an object"],
  ["removeApplication", { clientID: "1" }, "options.clientID is unknown: did you mean clientId?"],
  [
    "sendWebhookEvent",
    { firstCheck: true },
    "options.firstCheck is unknown: known names: as, scopes",
  ],
  ["sendWebhookEvent", { signature: "bad" }, 'signature must be "right", "wrong" or "missing"'],
  ["sendWebhookEvent", { age: "60" }, 'age must be a number of seconds, received "60"'],
])("%s() refuses the options %j", async (method, options, message) => {
  const call = async () => await calls[method]?.(smallPlatform(), options);
  await expect(call()).rejects.toThrow(TypeError);
  await expect(call()).rejects.toThrow(`${method}: ${message}`);
});
