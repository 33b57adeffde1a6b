import { describe, expect, test } from "vitest";
import { createFakePlatform, sampleApplication, sampleUsers } from "../../../src/testing/mod.ts";
import { APP, openPage, PUBLIC_APP, smallPlatform } from "../small_platform.ts";

const localhost = "http://localhost:8788";

describe("The index page", () => {
  test("has the applications, the people and the redirect URIs", async () => {
    const fake = createFakePlatform({ origin: localhost });
    const page = await openPage(fake, "/");
    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const html = await page.text();
    expect(html).toContain("<bdi>Lantern</bdi></h3>");
    expect(html).toContain(`href="/oauth2/authorize?client_id=${sampleApplication.id}"`);
    for (const uri of sampleApplication.redirectUris) expect(html).toContain(`<code>${uri}</code>`);
    for (const { username } of sampleUsers) expect(html).toContain(`<bdi>@${username}</bdi>`);
  });

  test("has the lines of .env for each application, with the platform's addresses", async () => {
    const fake = createFakePlatform({ origin: localhost });
    const html = await (await openPage(fake, "/")).text();
    const [, lines = ""] = /<pre><code>([^]*?)<\/code>/.exec(html) ?? [];
    const text = lines.replaceAll("&quot;", '"').replaceAll("&#39;", "'");
    const { id, secret, botToken } = sampleApplication;
    expect(html).toContain("<code>platform: env.DISCORD_PLATFORM</code>");
    expect(text.split("\n")).toEqual([
      `DISCORD_CLIENT_ID=${id}`,
      `DISCORD_CLIENT_SECRET=${secret}`,
      `DISCORD_BOT_TOKEN=${botToken}`,
      expect.stringMatching(/^LOGIN_SECRET=[\w-]{43}$/),
      `DISCORD_PUBLIC_KEY=${await fake.webhookPublicKey()}`,
      `DISCORD_PLATFORM='${JSON.stringify(fake.platform)}'`,
    ]);
  });

  test.each([
    ["https://platform.test", {}],
    ["https://localhost.attacker.example", {}],
    [localhost, { host: "attacker.example" }],
    [localhost, { host: "a b" }],
  ])("has no secret at %s with the headers %o", async (origin, headers) => {
    const fake = createFakePlatform({ origin });
    const html = await (await openPage(fake, "/", headers)).text();
    expect(html).toContain("# DISCORD_CLIENT_SECRET is only shown on localhost");
    expect(html).not.toContain(sampleApplication.secret);
    expect(html).not.toContain(sampleApplication.botToken);
  });

  test.each(["http://127.0.0.1:8788", "http://[::1]:8788", "https://fake.localhost"])(
    "has the sample application's secret at %s",
    async (origin) => {
      const html = await (await openPage(createFakePlatform({ origin }), "/")).text();
      expect(html).toContain(sampleApplication.secret);
    },
  );

  test("never has the secret of another application, which may be real", async () => {
    const fake = smallPlatform({ origin: localhost });
    const html = await (await openPage(fake, "/")).text();
    expect(html).toContain("# DISCORD_CLIENT_SECRET is in your configuration");
    expect(html).not.toContain(APP.secret);
    expect(html).not.toContain("bot-token");
  });

  test("says that an application has no redirect URI", async () => {
    const fake = smallPlatform({ applications: [{ ...APP, redirectUris: [] }] });
    expect(await (await openPage(fake, "/")).text()).toContain(
      "<p>Redirect URIs:</p>\n<p>None</p>",
    );
  });

  test.each([
    ["https://u:p@w@b.example/?c=d@e", "https://b.example/?c=d@e"],
    ["https:u:pw@b.example", "https:b.example"],
    ["https:\\\\u@b.example/@", "https:\\\\b.example/@"],
    ["spa://u:pw@cb", "spa://cb"],
  ])("has the redirect URI %s without its user and password", async (uri, shown) => {
    const fake = smallPlatform({ applications: [{ ...APP, redirectUris: [uri] }] });
    expect(await (await openPage(fake, "/")).text()).toContain(`<li><code>${shown}</code></li>`);
  });

  test("has an image whose hash is not well-formed", async () => {
    const fake = smallPlatform({ applications: [{ ...APP, icon: "\ud800" }] });
    expect(await (await openPage(fake, "/")).text()).toContain("/100/%EF%BF%BD.png");
  });

  test.each(["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u200b"])(
    "replaces the empty name %j",
    async (name) => {
      const fake = smallPlatform({ applications: [{ ...APP, name }] });
      const html = await (await openPage(fake, "/")).text();
      expect(html).toContain("<bdi>(no name)</bdi></h3>");
      expect(html).toContain('<span class="tile" aria-hidden="true"></span>');
    },
  );

  test("has no line with a secret for a public client", async () => {
    const fake = smallPlatform({ applications: [PUBLIC_APP], origin: localhost });
    expect(await (await openPage(fake, "/")).text()).not.toMatch(/CLIENT_SECRET|BOT_TOKEN/);
  });

  test("has the latest requests, the newest first, without queries and secrets", async () => {
    const fake = smallPlatform();
    expect(await (await openPage(fake, "/")).text()).toContain("None yet.");
    for (let at = 1; at <= 21; at++) await fake.fetch(`/api/v10/guilds/${at}?code=c0de`);
    await openPage(fake, "/cdn/embed/avatars/0.png");
    fake.failNext({ path: "/users/@me", cut: "before" });
    await fake.fetch(`/api/v10/users/@me`).catch(() => {});
    await fake.fetch(`/api/v10/gateway/${encodeURIComponent(APP.secret)}`);
    const html = await (await openPage(fake, "/")).text();
    const rows = [
      ...html.matchAll(/<tr><td>(.*?)<\/td><td class="path">(.*?)<\/td><td>(.*?)<\/td><\/tr>/g),
    ];
    expect(rows).toHaveLength(20);
    expect(rows.slice(0, 3).map(([, ...cells]) => cells)).toEqual([
      ["GET", "/api/v10/gateway/…", "403"],
      ["GET", "/api/v10/users/@me", "no response"],
      ["GET", "/api/v10/guilds/21", "403"],
    ]);
    expect(html).not.toContain("c0de");
  });

  test("escapes every foreign text", async () => {
    const evil = `"><img src=x onerror='alert(1)'>&`;
    const fake = createFakePlatform({
      applications: [{ ...APP, name: evil, icon: evil, redirectUris: [`x:${evil}`] }],
      users: [{ id: "1", username: evil, avatar: evil, global_name: evil }],
    });
    await fake.fetch("/", { method: "A'B" });
    expect(await (await openPage(fake, "/")).text()).not.toContain("<img src=x");
  });
});
