import { describe, expect, test } from "vitest";
import { readJson, smallPlatform } from "../small_platform.ts";

describe("The fake platform", () => {
  describe.each([
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
  ])("at %s", (path) => {
    test("answers 405 to methods that change something", async () => {
      const answer = await smallPlatform().fetch(path, { method: "POST" });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    });

    test("lets pages of every origin ask first", async () => {
      const headers = { origin: "https://app.example", "access-control-request-method": "GET" };
      const answer = await smallPlatform().fetch(path, { method: "OPTIONS", headers });
      expect([answer.status, await answer.text()]).toEqual([204, ""]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-allow-methods")).toContain("GET");
    });

    test("answers HEAD like GET, without the document", async () => {
      const fake = smallPlatform();
      const answer = await fake.fetch(path, { method: "HEAD" });
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
      expect([...answer.headers]).toEqual([...(await fake.fetch(path)).headers]);
    });
  });

  test("describes its endpoints in the discovery documents", async () => {
    const fake = smallPlatform({ origin: "http://localhost:1234" });
    const openid = await fake.fetch("/.well-known/openid-configuration");
    expect(openid.headers.get("access-control-allow-origin")).toBe("*");
    const described = await readJson(openid);
    expect(described).not.toHaveProperty("revocation_endpoint");
    expect(described).toMatchObject({
      issuer: "http://localhost:1234",
      authorization_endpoint: "http://localhost:1234/oauth2/authorize",
      token_endpoint: "http://localhost:1234/api/oauth2/token",
      userinfo_endpoint: "http://localhost:1234/api/oauth2/userinfo",
      jwks_uri: "http://localhost:1234/api/oauth2/keys",
      id_token_signing_alg_values_supported: ["RS256"],
    });
    expect(await readJson(fake.fetch("/.well-known/oauth-authorization-server"))).toMatchObject({
      issuer: "http://localhost:1234",
      revocation_endpoint: "http://localhost:1234/api/oauth2/token/revoke",
      device_authorization_endpoint: "http://localhost:1234/api/oauth2/device/authorize",
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
  });
});
