import { describe, expect, test } from "vitest";
import {
  APP,
  authorizeLink,
  BOB,
  exchangeCode,
  get,
  openPage,
  PUBLIC_APP,
  readJson,
  smallPlatform,
  submitDecision,
} from "../small_platform.ts";

describe("The authorize page", () => {
  test("redirects with a code, the state and the issuer after “Authorize”", async () => {
    const fake = smallPlatform();
    const response = await submitDecision(fake, authorizeLink(fake, { state: "x y" }), {
      action: "authorize",
      user: "2",
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.origin + location.pathname).toBe("https://app.example/cb");
    expect(location.searchParams.get("state")).toBe("x y");
    expect(location.searchParams.get("iss")).toBe("https://platform.test");
    const code = location.searchParams.get("code") ?? "";
    expect(code).toMatch(/^fake_code_[\w-]{43}$/);
    const { access_token } = await readJson(exchangeCode(fake, code));
    expect(await readJson(get(fake, "/users/@me", `Bearer ${access_token}`))).toMatchObject(BOB);
  });

  test("redirects with access_denied after “Cancel”", async () => {
    const fake = smallPlatform();
    const response = await submitDecision(fake, authorizeLink(fake, { state: "s" }), {
      action: "cancel",
    });
    expect(response.headers.get("location")).toBe(
      "https://app.example/cb?error=access_denied&error_description=The+resource+owner+or+" +
        "authorization+server+denied+the+request&state=s&iss=https%3A%2F%2Fplatform.test",
    );
  });

  test("ends an install link on its own page", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, {
      response_type: undefined,
      redirect_uri: undefined,
      scope: "bot applications.commands",
    });
    expect(await (await openPage(fake, url)).text()).toContain("You'll stay on this site.");
    const response = await submitDecision(fake, url, {
      action: "authorize",
      user: "1",
      guild_id: "70",
    });
    const location = response.headers.get("location") ?? "";
    expect(location).toBe("https://platform.test/oauth2/authorized");
    const end = await openPage(fake, location);
    expect(end.status).toBe(200);
    expect(await end.text()).toContain("<h1>Authorized</h1>");
    expect((await get(fake, "/guilds/70", "Bot bot-token")).status).toBe(200);
    const cancelled = await submitDecision(fake, url, { action: "cancel" });
    expect(cancelled.status).toBe(200);
    expect(await cancelled.text()).toContain(`<p role="status">Nothing was added.</p>`);
  });

  test("offers the known applications in place of an unknown one, with the same request", async () => {
    const fake = smallPlatform({
      applications: [{ ...APP, name: "<Looms>" }, { ...PUBLIC_APP, name: "\u200b" }],
    });
    const page = await openPage(fake, authorizeLink(fake, { client_id: "404", state: "&" }));
    expect(page.status).toBe(400);
    const html = await page.text();
    expect(html).toContain("no application has the client_id 404.");
    const links = [...html.matchAll(/<a href="\?([^"]+)">.*?<bdi>(.*?)<\/bdi>/g)];
    expect(links.map(([, , name]) => name)).toEqual(["&lt;Looms&gt;", "(no name)"]);
    const queries = links.map(([, query = ""]) =>
      new URLSearchParams(query.replaceAll("&amp;", "&"))
    );
    expect(queries.map((query) => [query.get("client_id"), query.get("state")])).toEqual([
      [APP.id, "&"],
      [PUBLIC_APP.id, "&"],
    ]);
  });

  test.each([[20, ""], [23, "<p>And 3 more.</p>"]])(
    "offers at most 20 of %i known applications",
    async (count, rest) => {
      const applications = Array.from({ length: count }, (_, at) => ({ ...APP, id: `${at + 1}` }));
      const fake = smallPlatform({ applications });
      const page = await openPage(fake, authorizeLink(fake, { client_id: "404" }));
      const html = await page.text();
      expect(html.match(/<a href="\?/g)).toHaveLength(20);
      expect(/<p>And.*/.exec(html)?.[0] ?? "").toBe(rest);
    },
  );

  test("refuses an incomplete form", async () => {
    const fake = smallPlatform();
    const forms = [{}, { action: "authorize" }, { action: "authorize", user: "404" }, {
      user: "1",
    }];
    for (const form of forms) {
      const response = await submitDecision(fake, authorizeLink(fake), form);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("The consent form is incomplete.");
    }
    const json = await fake.fetch(authorizeLink(fake), {
      method: "POST",
      body: "action=authorize&user=1",
      headers: { "content-type": "text/plain" },
    });
    expect(json.status).toBe(400);
  });

  test("refuses a guild closed to the user", async () => {
    const fake = smallPlatform();
    const response = await submitDecision(fake, authorizeLink(fake, { scope: "bot" }), {
      action: "authorize",
      user: "1",
      guild_id: "99",
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("ada may not add Fake application to the guild 99.");
  });

  test("skips consent with prompt=none only for the same user and the same scopes", async () => {
    const fake = smallPlatform();
    const url = authorizeLink(fake, { scope: "identify guilds", prompt: "none" });
    expect((await openPage(fake, url)).status).toBe(200);
    const first = await submitDecision(fake, url, { action: "authorize", user: "2" });
    const cookie = first.headers.get("set-cookie") ?? "";
    expect(cookie).toBe("fake_platform_user=2; Path=/oauth2/authorize; HttpOnly; SameSite=Lax");
    const loggedIn = { cookie: `a=b; ${cookie.split(";", 1)[0]}` };
    const again = await openPage(fake, url, loggedIn);
    expect(again.status).toBe(302);
    expect(again.headers.get("location")).toContain("code=");
    expect((await openPage(fake, authorizeLink(fake, { prompt: "none" }), loggedIn)).status).toBe(
      302,
    );
    expect((await openPage(fake, url)).status).toBe(200);
    expect(
      (await openPage(fake, authorizeLink(fake, { scope: "identify guilds" }), loggedIn)).status,
    ).toBe(200);
    expect(
      (await openPage(
        fake,
        authorizeLink(fake, { scope: "identify email", prompt: "none" }),
        loggedIn,
      )).status,
    )
      .toBe(200);
  });
});
