import { describe, expect, test } from "vitest";
import { logLine, readReason } from "../../src/command/request_log.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";

const origin = "http://127.0.0.1:8788";

function pathIn(url: string, secrets: readonly string[] = []): string {
  const line = logLine({ method: "GET", url, status: 200, milliseconds: 1, reason: null }, secrets);
  return line.replace(/^GET (.*) 200 1 ms$/, "$1");
}

describe("logLine()", () => {
  test("shows method, path, status and time", () => {
    const url = `${origin}/api/v10/users/@me`;
    expect(logLine({ method: "GET", url, status: 200, milliseconds: 3.4, reason: null }, [])).toBe(
      "GET /api/v10/users/@me 200 3 ms",
    );
  });

  test("shows that there was no response", () => {
    expect(logLine({ method: "GET", url: origin, status: null, milliseconds: 3, reason: null }, []))
      .toBe(
        "GET / no response 3 ms",
      );
  });

  test.each([
    "/oauth2/authorize",
    "/api/v10/oauth2/token/revoke",
    "/api/oauth2/@me",
    "/api/v9/users/@me/guilds/1200000000000000001/member",
    "/api/v10/users/@me/applications/1100000000000000001/role-connection",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
    "/cdn/embed/avatars/0.png",
    "/cdn/icons/1200000000000000001/a_1c2d3e4f5061728394a5b6c7d8e9f001.gif",
    "/avatar-decoration-presets/a_fed43ab12698df65902ba06727e20c0e.png",
    "/favicon.ico",
    "/modules/src/permissions/permission_input.ts",
    "//",
  ])("shows the path %s", (path) => {
    expect(pathIn(origin + path)).toBe(path);
  });

  test("leaves out the query and the fragment", () => {
    expect(pathIn(`${origin}/oauth2/authorize?state=s7ate&code=c0de#token`)).toBe(
      "/oauth2/authorize",
    );
  });

  test("hides tokens, codes and secrets that are in the path by mistake", async () => {
    const fake = createFakePlatform();
    const { access_token, refresh_token } = fake.issueToken();
    const { id, secret, botToken, redirectUris: [redirectUri = ""] } = sampleApplication;
    const callback = await fake.authorize(
      `${fake.platform.authorizeUrl}?` +
        new URLSearchParams({
          response_type: "code",
          client_id: id,
          scope: "identify",
          redirect_uri: redirectUri,
        }),
    );
    const code = new URL(callback).searchParams.get("code");
    for (const one of [access_token, refresh_token, secret, botToken, code]) {
      expect(pathIn(`${origin}/users/${one}/guilds`)).toBe("/users/…/guilds");
    }
  });

  test.each([
    ["a real access token", "6qrZcUqja7812RVdnEKjpzOL4CvHBFG"],
    ["a real client secret", "937it3ow87i4ery69876wqire"],
    ["a bot token", "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"],
    ["something escaped", "%1B%5B2J"],
    ["a sentence", "Ada%20Lovelace"],
  ])("hides a segment that looks like %s", (_what, part) => {
    expect(pathIn(`${origin}/api/${part}`)).toBe("/api/…");
  });

  test("hides the given secrets, whatever they look like", () => {
    expect(pathIn(`${origin}/api/hunter2.png`, ["hunter2"])).toBe("/api/…");
    expect(pathIn(`${origin}/api/hunter2.png`)).toBe("/api/hunter2.png");
  });

  test("hides all segments of a secret with a slash, even if it contains another secret", () => {
    expect(pathIn(`${origin}/api/abc/def-ghi/x`, ["abc", "abc/def-ghi"])).toBe("/api/…/x");
  });
});

describe("readReason()", () => {
  test.each([
    [
      Response.json({ message: "Missing Permissions", code: 50013 }, { status: 403 }),
      "Missing Permissions (50013)",
    ],
    [
      Response.json({ message: "internal network error", code: 40333 }, { status: 403 }),
      "internal network error (40333), since the request has no User-Agent header",
    ],
    [
      Response.json({ error: "invalid_grant", error_description: "c0de" }, { status: 400 }),
      "invalid_grant",
    ],
    [Response.json({ message: "401: Unauthorized", code: 0 }, { status: 401 }), null],
    [
      Response.json({ message: "You are being rate limited.", retry_after: 1 }, { status: 429 }),
      "You are being rate limited.",
    ],
    [new Response(null, { status: 404 }), null],
    [new Response("Forms of others are refused\n", { status: 403 }), "Forms of others are refused"],
    [
      new Response("<h1>No</h1>", {
        status: 403,
        headers: { "content-type": "text/html; charset=utf-8" },
      }),
      null,
    ],
  ])("reads the message of %s", async (response, reason) => {
    expect(await readReason(response)).toBe(reason);
  });

  test("is on the log line of the request", () => {
    const request = { method: "GET", url: origin, status: 403, milliseconds: 1, reason: "No (7)" };
    expect(logLine(request, [])).toBe("GET / 403 1 ms: No (7)");
  });
});
