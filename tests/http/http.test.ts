import { describe, expect, test } from "vitest";
import { ApiError, PayloadError } from "../../mod.ts";
import { httpOf } from "../support/http.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";
import { exchangeCode, getUser } from "../support/calls.ts";

describe("a success", () => {
  test.each([
    ["HTML", " <!doctype html>", "expected JSON, received HTML"],
    ["an empty text", "", "expected JSON, received nothing"],
    ["white space", "\r\n", "expected JSON, received nothing"],
    ["half of a response", '{"id": "1", "user', "expected JSON, received something else"],
  ])("with %s as its body is a PayloadError", async (_what, body, message) => {
    for (const call of [getUser, exchangeCode]) {
      const error = await thrownBy(() => call(fakeFetch(respondWith(body))));
      expect(error).toBeInstanceOf(PayloadError);
      expect(error).toMatchObject({ code: "invalid_payload", issues: [{ path: "", message }] });
    }
  });

  test("may have any status from 200 to 299", async () => {
    const response = respondWith({ id: "1", username: "ada" }, { status: 299 });
    expect(await getUser(fakeFetch(response))).toMatchObject({ id: "1" });
  });
});

describe("a response without a body", () => {
  const empty = () => new Response(null, { status: 204 });

  test("is read as null with 204", async () => {
    const http = httpOf(fakeFetch(empty));
    expect(await http({ method: "DELETE", path: "/users/@me/guilds/1" })).toBeNull();
  });

  test("is read as null with another status only if it may be empty", async () => {
    const http = httpOf(fakeFetch(respondWith(""), respondWith("")));
    expect(await http({ path: "/oauth2/token/revoke", form: {}, mayBeEmpty: true })).toBeNull();
    await expect(http({ path: "/oauth2/token/revoke", form: {} })).rejects.toThrow(PayloadError);
  });

  test("may have a body if it may be empty, which must be JSON", async () => {
    const http = httpOf(fakeFetch(respondWith("{}"), respondWith("<html>")));
    const request = { path: "/oauth2/token/revoke", form: {}, mayBeEmpty: true };
    expect(await http(request)).toEqual({});
    await expect(http(request)).rejects.toThrow(PayloadError);
  });
});

describe("a request that changes something", () => {
  test("is sent with its method, as JSON", async () => {
    const { fetch, requests } = fakeFetch(respondWith({ ok: true }));
    await httpOf({ fetch })({
      method: "PUT",
      path: "/a",
      json: { nick: "Ada \u2728", deaf: false },
    });
    expect(requests[0]?.method).toBe("PUT");
    // Bun adds the character set, which does no harm.
    expect(requests[0]?.headers.get("content-type")).toMatch(
      /^application\/json(;charset=utf-8)?$/,
    );
    expect(await requests[0]?.json()).toEqual({ nick: "Ada \u2728", deaf: false });
  });

  test.each(["PUT", "DELETE"] as const)("is sent once, with %s", async (method) => {
    const { fetch, requests } = fakeFetch(respondWith({}, { status: 503 }));
    await expect(httpOf({ fetch })({ method, path: "/a" })).rejects.toThrow(
      ApiError,
    );
    expect(requests).toHaveLength(1);
  });
});
