import { describe, expect, test } from "vitest";
import { generateState, MemoryStore } from "../../../mod.ts";
import { isListedTarget, isPreview } from "../../../src/login/site/targets.ts";
import { createApp } from "../test_app.ts";

const relaySecret = generateState();
const relay = {
  url: "https://app.example/callback",
  origin: "https://one.preview.example",
  secret: relaySecret,
  origins: ["https://*.preview.example"],
};

type Options = NonNullable<Parameters<typeof createApp>[0]>;

const create = (options: object) => () => createApp(options as Options);

describe("The option appTargets", () => {
  const withTargets = (appTargets: unknown) =>
    create({ store: new MemoryStore(), appPath: "/app", appTargets });

  test.each([
    "https://app.example/open",
    "https://abc.chromiumapp.org/",
    "myapp://login",
    "com.example.app:/callback",
    "http://127.0.0.1/callback",
    "http://[::1]/",
  ])("accepts %s", (target) => {
    expect(withTargets([target])).not.toThrow();
  });

  test.each([
    null,
    "myapp",
    "localhost:3000",
    "javascript://x/%0aalert(1)",
    "data:/text",
    "http://app.example/open",
    "http://localhost/callback",
    "http://127.0.0.1:3000/callback",
    "https://app.example",
    "https://APP.example/open",
    "https://ada@app.example/open",
    "https://:p@app.example/open",
    "https://app.example/open?a=b",
    "https://app.example/open#a",
    "https://*.app.example/open",
    "https://app.example/../open",
    "http://127.0.0.1",
  ])("refuses %s", (target) => {
    expect(withTargets([target])).toThrow(TypeError);
    expect(withTargets([target])).toThrow(
      "appTargets[0] must be a URL as a browser writes it, without a user, query or fragment",
    );
  });

  test("refuses a text, and needs appPath, which needs a store", () => {
    expect(withTargets("myapp://login")).toThrow("appTargets must be a list of URLs");
    expect(withTargets(["myapp://login "])).toThrow("appTargets[0] must not contain U+0020");
    expect(create({ appTargets: [] })).toThrow("appTargets needs the option appPath");
    expect(create({ appPath: "/app" })).toThrow("appPath needs the option store");
    expect(create({ appOrigins: [] })).toThrow("appOrigins needs the option appPath");
  });
});

test("A listed target is the same text, except for the port of a loopback address", () => {
  const targets = ["https://app.example/open", "myapp://login", "http://127.0.0.1/callback"];
  for (const target of [...targets, "http://127.0.0.1:49152/callback"]) {
    expect(isListedTarget(target, targets)).toBe(true);
  }
  for (
    const target of [
      "https://app.example/ope",
      "https://app.example/open/",
      "https://app.example/open?a",
      "https://app.example/open#a",
      "https://app.example:8443/open",
      "https://a@app.example/open",
      "https://app.example.evil.example/open",
      "http://app.example/open",
      "myapp://login/",
      "myapp://login2",
      "myapp2://login",
      "http://127.0.0.1:1@evil.example/callback",
      "http://127.0.0.1:123456/callback",
      "http://127.0.0.1.evil.example/callback",
      "http://127.0.0.1/callback?a",
      "http://127.0.0.2/callback",
      "http://localhost:1/callback",
      "http://[::1]:1/callback",
      "https://127.0.0.1/callback",
    ]
  ) expect(isListedTarget(target, targets), target).toBe(false);
});

describe("The option appOrigins", () => {
  const withOrigins = (appOrigins: unknown) =>
    create({ store: new MemoryStore(), appPath: "/app", appOrigins });

  test.each([
    "tauri://localhost",
    "http://tauri.localhost",
    "https://1100000000000000001.discordsays.com",
    "chrome-extension://abcdefghijklmnop",
  ])("accepts %s", (origin) => {
    expect(withOrigins([origin])).not.toThrow();
  });

  test.each([
    ["tauri://localhost", "must be a list"],
    [["null"], 'appOrigins[0] must be an origin as a browser sends it, like "tauri://localhost"'],
    [[null], "must be an origin"],
    [["https://app.example/"], "must be an origin"],
    [["https://*.discordsays.com"], "must be an origin"],
    [["https://app.example:443"], "must be an origin"],
    [["http://app.example"], "must begin with https:"],
  ])("refuses %j", (origins, message) => {
    expect(withOrigins(origins)).toThrow(message);
  });
});

describe("The option relay", () => {
  test("accepts the same options at each deployment", () => {
    for (const origin of ["https://app.example", "https://two.preview.example"]) {
      expect(create({ relay: { ...relay, origin } })).not.toThrow();
    }
    const origins = ["http://localhost:3001", "https://x.example"];
    expect(create({ relay: { ...relay, origin: "http://localhost:3001", origins } })).not.toThrow();
  });

  test.each([
    ["a text", "x", "relay must be an object"],
    ["an unknown name", { ...relay, hosts: [] }, "relay.hosts is unknown"],
    ["a wrong URL", { ...relay, url: "callback" }, "relay.url must be the registered callback"],
    ["a URL with a query", { ...relay, url: `${relay.url}?a` }, "relay.url"],
    ["plain HTTP", { ...relay, url: "http://app.example/callback" }, "relay.url"],
    ["an origin with a path", { ...relay, origin: `${relay.origin}/` }, "relay.origin must be"],
    ["an origin with HTTP", { ...relay, origin: "http://one.preview.example" }, "relay.origin"],
    [
      "an origin that is not listed",
      { ...relay, origin: "https://a.b.preview.example" },
      "relay.origins must include relay.origin",
    ],
    ["no list", { ...relay, origins: "*" }, "relay.origins must be a list"],
    ["a short secret", { ...relay, secret: "short" }, "relay.secret must be"],
    ["a bare star", { ...relay, origins: ["*"] }, "relay.origins[0] must be an origin"],
    ["a number", { ...relay, origins: [1] }, "relay.origins[0] must be an origin"],
    [
      "a star in a label",
      { ...relay, origins: ["https://a-*.preview.example"] },
      "relay.origins[0]",
    ],
    ["two stars", { ...relay, origins: ["https://*.*.preview.example"] }, "relay.origins[0]"],
    ["plain HTTP with a star", { ...relay, origins: ["http://*.preview.example"] }, "origins[0]"],
    ["a * under a top-level domain", { ...relay, origins: ["https://*.example"] }, "* under"],
    ["a star of an IP address", { ...relay, origins: ["https://*.0.0.1"] }, "relay.origins[0]"],
    ["a shared host", { ...relay, origins: ["https://*.vercel.app"] }, "* under vercel.app"],
    ["a shared host's port", { ...relay, origins: ["https://*.pages.dev:8443"] }, "* under"],
  ])("refuses %s", (_, given, message) => {
    expect(create({ relay: given })).toThrow(TypeError);
    expect(create({ relay: given })).toThrow(message);
  });

  test("refuses the secret of the sessions, a redirect URI beside it, and scopes without PKCE", () => {
    expect(create({ relay, secret: relaySecret })).toThrow("relay.secret must differ from secret");
    expect(create({ relay, redirectUri: relay.url })).toThrow(
      "redirectUri can't be used with relay",
    );
    const scope = ["identify", "openid", "role_connections.write"];
    expect(create({ relay, scope })).toThrow("can't be used together with appPath or relay");
    expect(create({ appPath: "/app", store: new MemoryStore(), scope })).toThrow(
      "appPath or relay",
    );
  });
});

test("A star of relay.origins stands for one label", () => {
  const origins = [
    "https://*.preview.example",
    "https://*.other.example:8443",
    "https://x.example",
  ];
  for (
    const origin of [
      "https://a.preview.example",
      "https://fix-1--a.preview.example",
      "https://a.other.example:8443",
      "https://x.example",
    ]
  ) expect(isPreview(origin, origins), origin).toBe(true);
  for (
    const origin of [
      "https://preview.example",
      "https://.preview.example",
      "https://a.b.preview.example",
      "https://a.preview.example.evil.example",
      "https://a.preview.example.",
      "https://apreview.example",
      "https://a.preview.example:8443",
      "https://a.other.example",
      "http://a.preview.example",
      "https://a.x.example",
      "https://127.0.0.1",
      "null",
    ]
  ) expect(isPreview(origin, origins), origin).toBe(false);
});
