import { describe, expect, test } from "vitest";
import { readJson, smallPlatform } from "../small_platform.ts";

describe("The fake platform", () => {
  describe.each([
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
  ])("at %s", (path) => {
    test("responds with 405 to methods that change data", async () => {
      const response = await smallPlatform().fetch(path, { method: "POST" });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    });

    test("accepts preflights from every origin", async () => {
      const headers = { origin: "https://app.example", "access-control-request-method": "GET" };
      const response = await smallPlatform().fetch(path, { method: "OPTIONS", headers });
      expect([response.status, await response.text()]).toEqual([204, ""]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-methods")).toContain("GET");
    });

    test("responds to HEAD like to GET, without the document", async () => {
      const fake = smallPlatform();
      const response = await fake.fetch(path, { method: "HEAD" });
      expect([response.status, await response.text()]).toEqual([200, ""]);
      expect([...response.headers]).toEqual([...(await fake.fetch(path)).headers]);
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
