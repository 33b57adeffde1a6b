import { describe, expect, test } from "vitest";
import type { FakePlatform } from "../../../src/testing/mod.ts";
import {
  APP,
  authorizeLink,
  basicAuth,
  get,
  openPage,
  postForm,
  readJson,
  readOauthError,
  requestToken,
  smallPlatform,
  submitDecision,
} from "../small_platform.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const CREDENTIALS = { authorization: basicAuth(APP.id, APP.secret) };

async function start(
  fake: FakePlatform,
  scope = "identify",
): Promise<{ deviceCode: string; userCode: string; page: string }> {
  const response = await readJson(
    postForm(fake, "/oauth2/device/authorize", { scope }, CREDENTIALS),
  );
  return {
    deviceCode: String(response["device_code"]),
    userCode: String(response["user_code"]),
    page: String(response["verification_uri_complete"]),
  };
}

function poll(fake: FakePlatform, deviceCode: string): Promise<Response> {
  return requestToken(fake, { grant_type: GRANT, device_code: deviceCode });
}

async function errorOf(response: Promise<Response>): Promise<unknown> {
  const [status, error] = await readOauthError(response);
  return status === 400 ? error : status;
}

describe("The device grant", () => {
  test("gives a device a code for itself and one for the user", async () => {
    const response = await postForm(
      smallPlatform(),
      "/oauth2/device/authorize",
      { scope: "identify guilds" },
      CREDENTIALS,
    );
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const started = await readJson(response);
    expect(started).toEqual({
      device_code: expect.stringMatching(/^fake_device_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{8}$/),
      verification_uri: "https://platform.test/activate",
      verification_uri_complete: `https://platform.test/activate?user_code=${started["user_code"]}`,
      expires_in: 300,
      interval: 5,
    });
  });

  test("lets the device wait for the user and then log in once", async () => {
    const fake = smallPlatform();
    const { deviceCode, userCode } = await start(fake, "identify guilds");
    expect(await errorOf(poll(fake, deviceCode))).toBe("authorization_pending");
    await fake.authorizeDevice(userCode, { as: "bob" });
    const response = await poll(fake, deviceCode);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const token = await readJson(response);
    expect(token).toEqual({
      access_token: expect.stringMatching(/^fake_access_/),
      token_type: "Bearer",
      expires_in: 604800,
      refresh_token: expect.stringMatching(/^fake_refresh_/),
      scope: "identify guilds",
    });
    const me = await readJson(get(fake, "/users/@me", `Bearer ${token["access_token"]}`));
    expect(me["username"]).toBe("bob");
    expect(await readOauthError(poll(fake, deviceCode)))
      .toEqual([400, "invalid_grant", `Invalid "device_code" in request.`]);
    const again = authorizeLink(fake, { scope: "identify guilds", prompt: "none" });
    expect((await openPage(fake, again, { cookie: "fake_platform_user=2" })).status).toBe(302);
  });

  test("signs the user in with openid", async () => {
    const fake = smallPlatform();
    const { deviceCode, userCode } = await start(fake, "openid");
    await fake.authorizeDevice(userCode);
    const { id_token } = await readJson(poll(fake, deviceCode));
    const claims = JSON.parse(atob(String(id_token).split(".")[1] ?? ""));
    expect(claims).toMatchObject({ sub: "1", aud: ["100"] });
    expect(claims).not.toHaveProperty("nonce");
  });

  test("prolongs the interval by five seconds after each request too soon", async () => {
    const fake = smallPlatform({ now: () => 0 });
    const { deviceCode } = await start(fake);
    const errors: unknown[] = [];
    // The pauses before each request, in seconds: 5 are enough at first, then 10, then 15.
    for (const pause of [0, 5, 4.999, 9.999, 15, 14.999, 20]) {
      fake.advance(pause * 1000);
      errors.push(await errorOf(poll(fake, deviceCode)));
    }
    expect(errors).toEqual([
      "authorization_pending",
      "authorization_pending",
      "slow_down",
      "slow_down",
      "authorization_pending",
      "slow_down",
      "authorization_pending",
    ]);
  });

  test("responds with access_denied if the user refuses", async () => {
    const fake = smallPlatform();
    const { deviceCode, userCode } = await start(fake);
    await fake.denyDevice(userCode);
    expect(await errorOf(poll(fake, deviceCode))).toBe("access_denied");
    await expect(fake.authorizeDevice(userCode)).rejects.toThrow(TypeError);
  });

  test("expires after five minutes, with or without consent", async () => {
    const fake = smallPlatform({ now: () => 0 });
    const [waiting, allowed] = [await start(fake), await start(fake)];
    await fake.authorizeDevice(allowed.userCode);
    fake.advance(299_999);
    expect(await errorOf(poll(fake, waiting.deviceCode))).toBe("authorization_pending");
    fake.advance(1);
    expect(await errorOf(poll(fake, waiting.deviceCode))).toBe("expired_token");
    expect(await errorOf(poll(fake, allowed.deviceCode))).toBe("expired_token");
    await expect(fake.denyDevice(waiting.userCode)).rejects.toThrow(TypeError);
  });

  test("refuses an unknown code, a missing code, and the code of another client", async () => {
    const fake = smallPlatform();
    const { deviceCode } = await start(fake);
    expect(await errorOf(poll(fake, "made-up"))).toBe("invalid_grant");
    expect(await errorOf(requestToken(fake, { grant_type: GRANT }))).toBe("invalid_grant");
    const other = { grant_type: GRANT, device_code: deviceCode, client_id: "200" };
    expect(await errorOf(requestToken(fake, other, {}))).toBe("invalid_grant");
  });

  test("accepts a public client with only its id, and refuses an unknown client", async () => {
    const fake = smallPlatform();
    const form = { scope: "identify", client_id: "200" };
    const { device_code, user_code } = await readJson(
      postForm(fake, "/oauth2/device/authorize", form),
    );
    await fake.authorizeDevice(String(user_code));
    const poll = { grant_type: GRANT, client_id: "200", device_code: String(device_code) };
    expect((await requestToken(fake, poll, {})).status).toBe(200);
    expect(await errorOf(postForm(fake, "/oauth2/device/authorize", { ...form, client_id: "404" })))
      .toBe(401);
  });

  test.each([
    "",
    "nonsense",
    "identify bot",
    "webhook.incoming",
    "role_connections.write",
    "applications.commands.update",
    "identify rpc",
  ])(
    "refuses the scopes %j, of which one is unknown, needs approval, or comes by another grant",
    async (scope) => {
      const response = postForm(
        smallPlatform(),
        "/oauth2/device/authorize",
        { scope },
        CREDENTIALS,
      );
      expect(await errorOf(response)).toBe("invalid_scope");
    },
  );

  test("ends when the authorization is revoked", async () => {
    const fake = smallPlatform();
    const { deviceCode, userCode } = await start(fake);
    await fake.authorizeDevice(userCode);
    const { access_token } = await readJson(poll(fake, deviceCode));
    const { access_token: token } = fake.issueToken();
    await postForm(fake, "/oauth2/token/revoke", { token }, CREDENTIALS);
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(401);
  });
});

describe("FakePlatform.authorizeDevice() and denyDevice()", () => {
  test("accept the code in lower case and in groups", async () => {
    const fake = smallPlatform();
    const { deviceCode, userCode } = await start(fake);
    const groups = [userCode.slice(0, 4), userCode.slice(4)];
    await fake.authorizeDevice(` ${groups.join(" ").toLowerCase()} `);
    expect((await poll(fake, deviceCode)).status).toBe(200);
    const other = await start(fake);
    await fake.authorizeDevice(`${other.userCode.slice(0, 4)}-${other.userCode.slice(4)}`);
    expect((await poll(fake, other.deviceCode)).status).toBe(200);
  });

  test("throw if no device waits with this code, or the user is unknown", async () => {
    const fake = smallPlatform();
    const { userCode } = await start(fake);
    const message = 'userCode must be the code of a waiting device, received "ABCD"';
    await expect(fake.authorizeDevice("ABCD")).rejects.toThrow(new TypeError(message));
    await expect(fake.authorizeDevice(`${userCode}!`)).rejects.toThrow(TypeError);
    await expect(fake.denyDevice("ABCD")).rejects.toThrow(new TypeError(message));
    await expect(fake.authorizeDevice(userCode, { as: "eve" })).rejects.toThrow(`received "eve"`);
  });
});

describe("The page for a device's code", () => {
  test("asks for the code", async () => {
    const page = await openPage(smallPlatform(), "https://platform.test/activate");
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain(`<label for="code">Code on your device</label>`);
    expect(html).toContain(`<input id="code" name="user_code" required`);
    expect(html).not.toContain(`role="alert"`);
  });

  test("shows that a code is wrong, and escapes it", async () => {
    const fake = smallPlatform();
    for (const method of ["GET", "POST"]) {
      const url = "https://platform.test/activate?user_code=%22%3E%3Cimg%3E";
      const page = await fake.fetch(url, { method });
      expect(page.status).toBe(400);
      const html = await page.text();
      expect(html).toContain(`role="alert"`);
      expect(html).toContain(`value="&quot;&gt;&lt;img&gt;" aria-invalid="true"`);
    }
    expect((await fake.fetch("https://platform.test/activate", { method: "POST" })).status)
      .toBe(400);
  });

  test("shows the application, the scopes and the code to compare", async () => {
    const fake = smallPlatform();
    const { page, userCode } = await start(fake, "identify email");
    const html = await (await openPage(fake, page)).text();
    expect(html).toContain("<title>Authorize Fake application</title>");
    expect(html).toContain("Read your email address");
    expect(html).toContain(`<code>${userCode}</code>`);
    expect(html).toContain(`user_code=${userCode}&amp;as=2`);
    const other = await (await openPage(fake, `${page}&as=2`)).text();
    expect(other).toContain(`name="user" value="2"`);
    expect((await openPage(fake, `${page}&as=404`)).status).toBe(400);
  });

  test("connects the device", async () => {
    const fake = smallPlatform();
    const { page, deviceCode } = await start(fake);
    const done = await submitDecision(fake, page, { action: "authorize", user: "2" });
    expect(await done.text()).toContain("<h1>Device connected</h1>");
    const { access_token } = await readJson(poll(fake, deviceCode));
    const me = await readJson(get(fake, "/users/@me", `Bearer ${access_token}`));
    expect(me["username"]).toBe("bob");
    expect((await submitDecision(fake, page, { action: "authorize", user: "2" })).status).toBe(400);
  });

  test("refuses the device after Cancel, and ignores an incomplete form", async () => {
    const fake = smallPlatform();
    const { page, deviceCode } = await start(fake);
    expect((await submitDecision(fake, page, { action: "authorize" })).status).toBe(400);
    expect((await submitDecision(fake, page, { user: "1" })).status).toBe(400);
    expect(await errorOf(poll(fake, deviceCode))).toBe("authorization_pending");
    const cancelled = await submitDecision(fake, page, { action: "cancel" });
    expect(await cancelled.text()).toContain("<h1>Canceled</h1>");
    expect(await errorOf(poll(fake, deviceCode))).toBe("access_denied");
  });
});
