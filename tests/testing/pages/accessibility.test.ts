// @vitest-environment happy-dom

import axe from "axe-core";
import { describe, expect, test } from "vitest";
import type { FakePlatform } from "../../../src/testing/mod.ts";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";

/** The contrast rule needs the painted colors of a real browser. */
const RULES: axe.RunOptions = { rules: { "color-contrast": { enabled: false } } };

const CONSENT = `/oauth2/authorize?client_id=${sampleApplication.id}`;

async function violations(response: Response): Promise<string[]> {
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.innerHTML = page.documentElement.innerHTML;
  const found = await axe.run(document, RULES);
  expect(found.passes).not.toEqual([]);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
}

async function devicePage(fake: FakePlatform): Promise<string> {
  const { id, secret } = sampleApplication;
  const response = await fake.fetch(`${fake.platform.apiUrl}/oauth2/device/authorize`, {
    method: "POST",
    headers: { "user-agent": "DiscordBot (https://app.example, 1)" },
    body: new URLSearchParams({ client_id: id, client_secret: secret, scope: "identify email" }),
  });
  return (await response.json()).verification_uri_complete;
}

describe("The accessibility rules of axe", () => {
  test.each([
    ["consent to a login", `${CONSENT}&response_type=code&scope=identify+guilds`],
    ["consent to a bot", `${CONSENT}&permissions=2080`],
    ["consent where no bot may be added", `${CONSENT}&guild_id=1&disable_guild_select=true`],
    ["an unknown application", "/oauth2/authorize"],
    ["an error", `${CONSENT}&redirect_uri=https://other.example/`],
    ["the index", "/"],
    ["the end of an installation", "/oauth2/authorized"],
    ["no page", "/nowhere"],
    ["a device's code", "/activate"],
    ["a device's code that is wrong", "/activate?user_code=ABCD"],
  ])("are kept by the page for %s", async (_, path) => {
    expect(await violations(await createFakePlatform().fetch(path))).toEqual([]);
  });

  test("are kept by the page for a device", async () => {
    const fake = createFakePlatform();
    expect(await violations(await fake.fetch(await devicePage(fake)))).toEqual([]);
  });

  test.each([403, 429, 502])("are kept by the edge's page for %i", async (status) => {
    const fake = createFakePlatform();
    fake.failNext({ edge: true, status });
    expect(await violations(await fake.fetch("/"))).toEqual([]);
  });

  test("find the mistakes of a wrong page", async () => {
    const html = `<!doctype html><html><body><img src="/a.png"><input></body></html>`;
    const found = await violations(new Response(html));
    expect(found.join()).toMatch(/image-alt.*label/);
  });
});
