import { describe, expect, test } from "vitest";
import { createFakePlatform, sampleApplication, sampleUsers } from "../../../src/testing/mod.ts";
import {
  ADA,
  APP,
  authorizeLink,
  BOB,
  CHALLENGE,
  LOOMS,
  openPage,
  PUBLIC_APP,
  smallPlatform,
  submitDecision,
} from "../small_platform.ts";

describe("The consent page", () => {
  test("shows the application, the scopes and the users", async () => {
    const fake = createFakePlatform();
    const page = await openPage(
      fake,
      authorizeLink(fake, {
        client_id: sampleApplication.id,
        redirect_uri: "https://app.example/callback",
        scope: "identify email",
      }),
    );
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain("<title>Authorize Lantern</title>");
    expect(html).toContain("Lights the way to the right channel.");
    expect(html).toContain("Read your email address");
    expect(html).toContain("<strong>app.example</strong>");
    expect(html).toContain(`aria-current="true"`);
    expect(html).toContain("<bdi>Ada Lovelace</bdi> <small><bdi>@ada</bdi></small>");
    expect(html).toContain("<bdi>grace</bdi> <small><bdi>@grace</bdi></small>");
    expect(html).toContain(
      `/cdn/avatars/${sampleUsers[0].id}/${sampleUsers[0].avatar}.png?size=64`,
    );
    expect(html).toContain(`name="user" value="${sampleUsers[0].id}"`);
    expect(html).not.toContain("<select");
    expect(html).not.toContain("With the permissions");
  });

  test("runs no script, loads nothing from other origins, and can't be framed", async () => {
    const fake = smallPlatform();
    const page = await openPage(fake, authorizeLink(fake));
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; img-src 'self' data:; style-src 'nonce-[\w-]+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    const nonce = /nonce-([\w-]+)/.exec(policy)?.[1];
    const html = await page.text();
    expect(html).toContain(`<style nonce="${nonce}">`);
    expect(html).not.toMatch(/<script|style="|\son\w+=/i);
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  test("escapes every foreign text", async () => {
    const evil = `"><img src=x onerror='alert(1)'>&`;
    const fake = createFakePlatform({
      applications: [{ ...APP, name: evil, description: evil, icon: evil }],
      users: [{ id: "1", username: evil, avatar: evil }, { ...BOB, global_name: evil }],
      guilds: [{ id: "7", name: evil, members: { "1": { owner: true } } }],
      extraScopes: [evil.replaceAll(" ", "")],
    });
    const pages = [
      authorizeLink(fake, {
        scope: `bot ${evil.replaceAll(" ", "")}`,
        state: evil,
        permissions: "8",
      }),
      authorizeLink(fake, { redirect_uri: evil }),
    ];
    for (const url of pages) {
      const html = await (await openPage(fake, url)).text();
      expect(html).not.toContain("<img src=x");
      expect(html).not.toContain("<imgsrc");
      expect(html).toContain("&quot;&gt;&lt;img");
      expect(html).toContain("&#39;");
      expect(html).toContain("&gt;&amp;");
    }
  });

  test("offers no choice to a single user", async () => {
    const fake = smallPlatform({ users: [ADA], guilds: [] });
    const html = await (await openPage(fake, authorizeLink(fake))).text();
    expect(html).toContain("Logged in as");
    expect(html).not.toContain("Continue as");
  });

  test("asks the chosen user, and responds with 400 to an unknown user", async () => {
    const fake = smallPlatform();
    expect(await (await openPage(fake, authorizeLink(fake))).text()).toMatch(
      /<a href="\?[^"]+&amp;as=2">/,
    );
    const html = await (await openPage(fake, `${authorizeLink(fake)}&as=2`)).text();
    expect(html).toContain(`name="user" value="2"`);
    expect(html).toMatch(/as=2" aria-current="true"/);
    expect((await openPage(fake, `${authorizeLink(fake)}&as=404`)).status).toBe(400);
  });

  test("shows an application without name, icon or description, and a custom redirect scheme", async () => {
    const fake = smallPlatform({ applications: [{ ...PUBLIC_APP, name: "" }, APP] });
    const html = await (await openPage(
      fake,
      authorizeLink(fake, {
        client_id: "200",
        redirect_uri: "spa://cb",
        code_challenge: CHALLENGE,
        code_challenge_method: "S256",
      }),
    )).text();
    expect(html).toContain(`aria-hidden="true"></span>`);
    expect(html).toContain("<strong>cb</strong>");
    const named = await (await openPage(fake, authorizeLink(fake))).text();
    expect(named).toContain("Fake application");
    expect(named).toContain(`aria-hidden="true">F</span>`);
  });

  test("shows the scheme of a redirect URI without a host", async () => {
    const fake = smallPlatform({ applications: [{ ...APP, redirectUris: ["myapp:/cb"] }] });
    const html = await (await openPage(fake, authorizeLink(fake, { redirect_uri: "myapp:/cb" })))
      .text();
    expect(html).toContain("<strong>myapp:</strong>");
  });

  test("offers the guilds open to the user for a bot, and lists its permissions in words", async () => {
    const fake = smallPlatform({
      guilds: [
        LOOMS,
        { id: "71", name: "Member", members: { "1": { permissions: "0" } } },
        { id: "72", name: "Admin", members: { "1": { permissions: "8" } } },
        { id: "73", name: "Manager", members: { "1": { permissions: "32" } } },
        { id: "74", name: "Not mine", members: { "2": { owner: true } } },
      ],
    });
    const url = authorizeLink(fake, { scope: "bot", permissions: "2080", guild_id: "72" });
    const html = await (await openPage(fake, url)).text();
    expect([...html.matchAll(/<option value="(\d+)"( selected)?>/g)].map(([, id, on]) => [id, on]))
      .toEqual([["70", undefined], ["72", " selected"], ["73", undefined]]);
    expect(html).toContain("<code>2080</code>");
    expect(html).toContain("<li>Manage server</li><li>Send messages</li></ul>");
    const fixed = await (await openPage(fake, `${url}&disable_guild_select=true`)).text();
    expect(fixed.match(/<option/g)).toHaveLength(1);
    const free = await (await openPage(fake, `${url}&disable_guild_select=false`)).text();
    expect(free.match(/<option/g)).toHaveLength(3);
  });

  test("disables “Authorize” for a user without a guild for the bot", async () => {
    const fake = smallPlatform();
    const html = await (await openPage(fake, `${authorizeLink(fake, { scope: "bot" })}&as=2`))
      .text();
    expect(html).toContain("You can't add this application to any server");
    expect(html).toContain(`class="main" disabled`);
    expect(html).toContain("No permissions.");
    expect(
      (await submitDecision(fake, authorizeLink(fake, { scope: "bot" }), {
        action: "authorize",
        user: "2",
      })).status,
    )
      .toBe(400);
  });
});
