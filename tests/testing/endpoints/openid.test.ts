import { describe, expect, test } from "vitest";
import type { FakePlatform } from "../../../src/testing/mod.ts";
import type { Json } from "../small_platform.ts";
import {
  ADA,
  bearerToken,
  BOB,
  exchangeCode,
  get,
  obtainCode,
  readJson,
  smallPlatform,
} from "../small_platform.ts";

describe("OpenID on the fake platform", () => {
  async function verified(fake: FakePlatform, idToken: unknown): Promise<[Json, Json]> {
    const { keys } = await (await get(fake, "/oauth2/keys")).json();
    const [header = "", payload = "", signature = ""] = String(idToken).split(".");
    const [jwk] = keys;
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    const data = new TextEncoder().encode(`${header}.${payload}`);
    const proof = await crypto.subtle.verify(algorithm.name, key, bytes(signature), data);
    expect(proof).toBe(true);
    expect(Object.keys(jwk).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    const decode = (part: string) => JSON.parse(new TextDecoder().decode(bytes(part)));
    expect(decode(header)).toEqual({ alg: "RS256", typ: "JWT", kid: jwk.kid });
    return [decode(payload), decode(header)];
  }

  async function accessTokenHash(token: string): Promise<string> {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
    return btoa(String.fromCharCode(...new Uint8Array(digest).slice(0, 16)))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  function bytes(base64url: string): Uint8Array<ArrayBuffer> {
    const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  }

  test("signs an id_token with its published key, nonce included", async () => {
    const fake = smallPlatform({ now: () => 1_700_000_000_500 });
    const code = await obtainCode(fake, { scope: "openid", nonce: "n-1" });
    fake.advance(10_000);
    const { id_token, access_token } = await readJson(exchangeCode(fake, code));
    const [claims] = await verified(fake, id_token);
    expect(claims).toEqual({
      iss: "https://platform.test",
      sub: "1",
      aud: ["100"],
      iat: 1_700_000_010,
      exp: 1_700_003_610,
      auth_time: 1_700_000_000,
      at_hash: await accessTokenHash(String(access_token)),
      nonce: "n-1",
    });
  });

  test("returns the claims allowed by the scopes in userinfo, and only the id in the token", async () => {
    const fake = smallPlatform({
      users: [{ ...ADA, avatar: "abc", global_name: "Ada" }, { ...BOB, email: null }],
    });
    const token = await readJson(
      exchangeCode(fake, await obtainCode(fake, { scope: "openid identify email" })),
    );
    const [claims] = await verified(fake, token["id_token"]);
    const person = {
      sub: "1",
      preferred_username: "ada",
      nickname: "Ada",
      picture: "https://platform.test/cdn/avatars/1/abc.png",
      locale: "en-US",
      email: "ada@example.com",
      email_verified: true,
    };
    expect(Object.keys(claims).sort())
      .toEqual(["at_hash", "aud", "auth_time", "exp", "iat", "iss", "sub"]);
    expect(await readJson(get(fake, "/oauth2/userinfo", `Bearer ${token["access_token"]}`)))
      .toEqual(person);
    const bob = bearerToken(fake, ["openid", "identify"], "bob");
    expect(await readJson(get(fake, "/oauth2/userinfo", bob)))
      .toEqual({
        sub: "2",
        preferred_username: "bob",
        nickname: null,
        locale: "en-US",
      });
    expect(await readJson(get(fake, "/oauth2/userinfo", bearerToken(fake, ["openid"]))))
      .toEqual({ sub: "1" });
    expect((await get(fake, "/oauth2/userinfo", bearerToken(fake, ["identify"]))).status).toBe(401);
  });

  test("keeps its key", async () => {
    const fake = smallPlatform();
    const [first, second] = [await get(fake, "/oauth2/keys"), await get(fake, "/oauth2/keys")];
    expect(await first.json()).toEqual(await second.json());
  });
});
