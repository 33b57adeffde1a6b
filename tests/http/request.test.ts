import { describe, expect, test } from "vitest";
import { secretsOf } from "../../src/http/request.ts";

const request = { method: "GET", path: "/oauth2/token" } as const;

describe("the secrets of a request", () => {
  test("are its token", () => {
    expect(secretsOf({ ...request, authorization: "Bearer t0ken" })).toEqual(["t0ken"]);
    expect(secretsOf({ ...request, authorization: "Bot b0t.t0ken" })).toEqual(["b0t.t0ken"]);
  });

  test("are its Basic credentials, and the decoded client secret in them", () => {
    const credentials = btoa("1:s3cret%3A%25%2B");
    expect(secretsOf({ ...request, authorization: `Basic ${credentials}` }))
      .toEqual([credentials, "s3cret:%+"]);
  });

  test("are the fields of its form, apart from the public ones", () => {
    const form = {
      grant_type: "authorization_code",
      client_id: "1",
      redirect_uri: "https://app.example/",
      scope: "identify",
      token_type_hint: "access_token",
      code: "c0de",
      code_verifier: "v3rifier",
      field_of_tomorrow: "secret, to be on the safe side",
    };
    expect(secretsOf({ ...request, form }))
      .toEqual(["c0de", "v3rifier", "secret, to be on the safe side"]);
  });

  test("are the texts of its JSON, apart from the public fields", () => {
    const json = {
      access_token: "t0ken",
      nick: "Ada",
      platform_name: "Chess",
      mute: true,
      roles: [],
    };
    expect(secretsOf({ ...request, json })).toEqual(["t0ken"]);
    expect(secretsOf({ ...request, json: [{ key: "level", type: 1 }] })).toEqual([]);
  });

  test("are its other secrets, and not a body whose secrets these are", () => {
    expect(secretsOf({ ...request, jsonText: '{"a":"b"}', otherSecrets: ["b"] })).toEqual(["b"]);
  });

  test("are none without credentials and content", () => {
    expect(secretsOf(request)).toEqual([]);
  });
});
