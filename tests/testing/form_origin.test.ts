import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createFakePlatform, type FakePlatform, nodeListener } from "../../src/testing/mod.ts";
import { authorizeLink, smallPlatform, USER_AGENT } from "./small_platform.ts";

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

/** Serves a platform on this machine. Returns the origin of the server. */
async function serve(fake: FakePlatform, hosts: readonly string[] = []): Promise<string> {
  server = createServer(nodeListener(fake.handler, { hosts }));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends the form of the consent page with node:http, which sends all headers as they are. Returns the status and the text. */
function sendForm(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: "POST", headers: { ...type, ...headers } });
    sent.on("error", reject).on("response", async (response) => {
      const chunks: string[] = [];
      for await (const chunk of response.setEncoding("utf8")) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, text: chunks.join("") });
    });
    sent.end("action=authorize&user=1");
  });
}

describe("The pages of a served platform", () => {
  async function consentPage(hosts: readonly string[] = []): Promise<URL> {
    const fake = smallPlatform();
    const { search } = new URL(authorizeLink(fake));
    return new URL(`/oauth2/authorize${search}`, await serve(fake, hosts));
  }

  test.each([
    { "sec-fetch-site": "cross-site", origin: "https://attacker.example" },
    { "sec-fetch-site": "same-site", origin: "http://localhost:3000" },
    { "sec-fetch-site": "cross-site", origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { origin: "https://attacker.example" },
    { origin: "http://localhost:3000" },
    { origin: "null" },
  ])("refuse a form with the headers %j", async (headers) => {
    const { status, text } = await sendForm((await consentPage()).href, headers);
    expect(status).toBe(403);
    const { origin = "null" } = headers;
    const sender = origin === "null" ? "another origin" : JSON.stringify(origin);
    expect(text).toBe(
      `A page of ${sender} sent the form. Only pages of this platform may send it\n`,
    );
  });

  test("refuse a form for a device from another origin", async () => {
    const origin = await serve(createFakePlatform());
    const headers = { origin: "https://attacker.example" };
    expect((await sendForm(`${origin}/activate?user_code=X`, headers)).status).toBe(403);
  });

  test("accept their own forms, and forms from programs other than browsers", async () => {
    const page = await consentPage();
    expect((await sendForm(page.href, {})).status).toBe(302);
    expect((await sendForm(page.href, { origin: page.origin })).status).toBe(302);
    const own = { "sec-fetch-site": "same-origin", origin: "null" };
    expect((await sendForm(page.href, own)).status).toBe(302);
    // A reloaded page.
    expect((await sendForm(page.href, { "sec-fetch-site": "none" })).status).toBe(302);
  });

  test("accept their own forms under another name of the host", async () => {
    const page = await consentPage(["fake.example"]);
    const named = { host: "fake.example", origin: "http://fake.example" };
    expect((await sendForm(page.href, named)).status).toBe(302);
  });

  test("tell browsers to name the origin of their forms", async () => {
    const page = await fetch(await consentPage());
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    await page.body?.cancel();
  });

  test("can be opened by a link of another site, as an application's login does", async () => {
    const headers = { "sec-fetch-site": "cross-site", referer: "https://app.example/" };
    const page = await fetch(await consentPage(), { headers });
    expect(page.status).toBe(200);
    await page.body?.cancel();
  });
});

test("The API of a served platform accepts requests from pages of other origins", async () => {
  const origin = await serve(createFakePlatform());
  const headers = {
    ...USER_AGENT,
    origin: "https://app.example",
    "sec-fetch-site": "cross-site",
  };
  const response = await fetch(`${origin}/api/v10/oauth2/token`, {
    method: "POST",
    headers,
    body: new URLSearchParams({ grant_type: "refresh_token" }),
  });
  expect([response.status, await response.json()]).toEqual([401, { error: "invalid_client" }]);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});
