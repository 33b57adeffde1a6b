import { describe, expect, test } from "vitest";
import { thrownBy } from "../support/responders.ts";
import { readToken } from "../support/models.ts";

const bearer = { access_token: "t0ken", token_type: "Bearer" };

describe("a token", () => {
  test("has no refresh token if the platform sends an empty one", async () => {
    const { model, issues } = await readToken({ ...bearer, refresh_token: "" });
    expect(model.refresh_token).toBeNull();
    expect(issues).toEqual([]);
  });

  test.each([0, 0.0001, 604800.5, 1e12])("may expire in %d seconds", async (expires_in) => {
    const { model, issues } = await readToken({ ...bearer, expires_in });
    expect(model.expires_in).toBe(expires_in);
    expect(model.expires_at).toSatisfy(Number.isSafeInteger);
    expect(issues).toEqual([]);
  });

  test("may have its lifetime as text", async () => {
    const before = Date.now();
    const { model, issues } = await readToken({ ...bearer, expires_in: "604800" });
    expect(model.expires_in).toBe(604800);
    expect(model.expires_at).toBeGreaterThanOrEqual(before + 604_800_000);
    expect(model.expires_at).toBeLessThanOrEqual(Date.now() + 604_800_000);
    expect(issues).toEqual([
      { path: "expires_in", message: "expected a number of seconds, received string" },
    ]);
  });

  test("may lack its lifetime", async () => {
    expect(await readToken(bearer)).toMatchObject({
      model: { ...bearer, expires_in: null, expires_at: null },
      issues: [],
    });
  });

  test.each(["1e999", "-1", "1000000000001", '"soon"', '""', '"-1"', '"1e999"', "{}", "true"])(
    "does not say when it expires, if that is in %s seconds",
    async (seconds) => {
      const { model, issues } = await readToken(
        `{"access_token":"t0ken","token_type":"Bearer","expires_in":${seconds}}`,
      );
      expect(model).toMatchObject({ ...bearer, expires_in: null, expires_at: null });
      expect(issues).toMatchObject([{ path: "expires_in" }]);
    },
  );

  test.each<[string, object, object, string]>([
    ["a guild without a name", { guild: { id: "1" } }, { guild: null }, "guild.name"],
    ["a guild that is text", { guild: "1" }, { guild: null }, "guild"],
    [
      "a webhook with an odd id",
      { webhook: { id: 1, url: "https://x.example/" } },
      { webhook: { id: null, url: "https://x.example/" } },
      "webhook.id",
    ],
    ["a webhook that is a list", { webhook: [] }, { webhook: null }, "webhook"],
    [
      "a webhook with an odd token",
      { webhook: { id: "1", token: 5, url: "https://x.example/" } },
      { webhook: { id: "1", token: null, url: "https://x.example/" } },
      "webhook.token",
    ],
    ["an id_token that is an object", { id_token: {} }, { id_token: null }, "id_token"],
    [
      "a refresh token that is a number",
      { refresh_token: 5 },
      { refresh_token: null },
      "refresh_token",
    ],
    ["a scope that is a list", { scope: ["guilds"] }, { scope: "identify" }, "scope"],
  ])("is kept with %s beside it", async (_what, sent, read, path) => {
    const { model, issues } = await readToken({ ...bearer, ...sent });
    expect(model).toMatchObject({ ...bearer, ...read });
    expect(issues).toMatchObject([{ path }]);
  });

  test.each<[string, object, string]>([
    ["without an access token", { access_token: undefined }, "access_token"],
    ["with an access token that no header can carry", { access_token: "a b" }, "access_token"],
    ["without a type", { token_type: undefined }, "token_type"],
  ])("is refused %s, and the error shows nothing of it", async (_what, sent, path) => {
    const payload = { ...bearer, refresh_token: "r3fresh-s3cret", ...sent };
    const error = await thrownBy(() => readToken(payload));
    expect(error).toMatchObject({ name: "PayloadError", issues: [{ path }] });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/r3fresh|t0ken|a b/);
  });
});
