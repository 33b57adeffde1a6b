import { describe, expect, test } from "vitest";
import { createFakePlatform, sampleApplication } from "../../../src/testing/mod.ts";
import { APP, authorizeLink, requestToken, smallPlatform } from "../small_platform.ts";

/** Authorizes with a redirect URI. Returns the target of the redirect without the query; `null` without a redirect. */
async function targetOf(
  registered: readonly string[],
  redirectUri: string | undefined,
): Promise<string | null> {
  const fake = smallPlatform({ applications: [{ ...APP, redirectUris: registered }] });
  const link = authorizeLink(fake, { redirect_uri: redirectUri });
  const target = await fake.authorize(link).catch((error: TypeError) => {
    expect(error.message).toContain("redirect_uri");
    return null;
  });
  return target && target.replace(/\?.*/, "");
}

describe("A redirect URI", () => {
  test.each([
    "http://localhost:3000/callback",
    "http://localhost/",
    "http://localhost:1/a/b/c",
    "http://127.0.0.1:54321/api/auth/callback/discord",
    "http://[::1]:8080/cb",
  ])("of the sample application may be %s", async (uri) => {
    const fake = createFakePlatform();
    const link = authorizeLink(fake, { client_id: sampleApplication.id, redirect_uri: uri });
    const callback = new URL(await fake.authorize(link));
    expect(callback.origin + callback.pathname).toBe(uri);
    const { id, secret } = sampleApplication;
    const form = {
      code: callback.searchParams.get("code") ?? "",
      client_id: id,
      client_secret: secret,
    };
    const other = await requestToken(fake, { ...form, redirect_uri: `${uri}x` }, {});
    expect(other.status).toBe(400);
    expect((await requestToken(fake, { ...form, redirect_uri: uri }, {})).status).toBe(200);
  });

  test.each([
    "https://localhost:3000/callback",
    "http://localhost.example/callback",
    "http://192.168.0.7:3000/callback",
    "http://ada@localhost:3000/callback",
    "http://localhost:3000/callback#top",
    "https://app.example/other",
    "no URL",
  ])("of the sample application can't be %s", async (uri) => {
    expect(await targetOf(sampleApplication.redirectUris, uri)).toBeNull();
  });

  test.each([
    ["http://127.0.0.1/callback", "http://127.0.0.1:54321/callback"],
    ["http://localhost/callback", "http://localhost:3000/callback"],
    ["http://[::1]/", "http://[::1]:1/"],
  ])("registered as %s without a port may be %s", async (registered, uri) => {
    expect(await targetOf([registered], uri)).toBe(uri);
    expect(await targetOf([registered], registered)).toBe(registered);
  });

  test.each([
    ["http://127.0.0.1/callback", "http://127.0.0.1:54321/other"],
    ["http://127.0.0.1/callback", "http://localhost:54321/callback"],
    ["http://127.0.0.1:3000/callback", "http://127.0.0.1:4000/callback"],
    ["http://localhost:3000/callback", "http://localhost/callback"],
    ["http://localhost:3000/callback", "http://localhost:3000/callback/"],
    ["https://127.0.0.1/callback", "https://127.0.0.1:54321/callback"],
    ["http://app.example/callback", "http://app.example:81/callback"],
    ["http://localhost:*", "http://127.0.0.1:1/"],
  ])("registered as %s can't be %s", async (registered, uri) => {
    expect(await targetOf([registered], uri)).toBeNull();
  });

  test("defaults to the first registered absolute URL", async () => {
    const uris = ["http://localhost:*", "https://app.example/cb"];
    expect(await targetOf(uris, undefined)).toBe("https://app.example/cb");
    expect(await targetOf(["http://localhost:*"], undefined)).toBeNull();
  });

  test.each(["http://app.example:*", "https://localhost:*", "http://localhost:*/callback", "*", 7])(
    "can't be registered as %j",
    (uri) => {
      expect(() => smallPlatform({ applications: [{ ...APP, redirectUris: [uri as string] }] }))
        .toThrow(
          "applications[0].redirectUris[0] must be an absolute URL without a fragment, " +
            `or http://localhost:*, received ${JSON.stringify(uri)}`,
        );
    },
  );
});
