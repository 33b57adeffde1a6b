import { describe, expect, test, vi } from "vitest";
import type { ClientOptions } from "../../mod.ts";
import { attempt } from "../../src/http/attempt.ts";
import { acceptConnections, thrownBy } from "../support/responders.ts";
import { exchangeCode, getUser, hostileObject, networkErrorMessage } from "../support/calls.ts";
import { untilDone, useVirtualTime } from "../support/virtual_time.ts";

describe("a connection", () => {
  test.each([
    ["a known length", 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id'],
    ["chunks", 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"id\r\n'],
  ])("that is cut within a response of %s gets an incomplete response", async (_what, half) => {
    const platform = await acceptConnections((socket) => socket.end(half));
    expect(await thrownBy(() => exchangeCode({ platform }))).toMatchObject({
      name: "NetworkError",
      message: expect.stringContaining("/oauth2/token got an incomplete response"),
    });
  });
});

describe("a response of a custom fetch", () => {
  test("is read if it is like a Response", async () => {
    const text = () => '{"id":"1","username":"ada"}';
    const like = (status: unknown, get = (): unknown => null): ClientOptions => ({
      fetch: () => Promise.resolve({ status, headers: { get }, text } as unknown as Response),
    });
    expect(await getUser(like("200"))).toMatchObject({ username: "ada" });
    expect(await thrownBy(() => exchangeCode(like(undefined)))).toMatchObject({ name: "ApiError" });
    expect(await thrownBy(() => exchangeCode(like(429, () => 7)))).toMatchObject({ retryAfter: 7 });
  });

  const limited = { "x-ratelimit-remaining": "1", "x-ratelimit-reset-after": "1" };

  test.each([
    ["a success", 200, {}, ["bucket", "remaining"]],
    ["a success with a limit", 200, limited, ["bucket", "remaining", "reset-after", "limit"]],
    ["a refusal", 404, {}, ["retry-after", "bucket", "remaining"]],
    ["a 429", 429, {}, ["retry-after", "bucket", "remaining", "scope", "global"]],
  ])("is asked only for the headers that %s may have", async (_what, status, given, names) => {
    const headers = new Headers(given as HeadersInit);
    const get = vi.spyOn(headers, "get");
    const response = { status, headers, text: () => "{}" } as unknown as Response;
    const { signal } = new AbortController();
    await attempt({ path: "/it" }, () => Promise.resolve(response), 99, signal);
    expect(get.mock.calls.map(([name]) => name.replace("x-ratelimit-", ""))).toEqual(names);
  });

  const plain = { status: 200, headers: new Headers(), text: () => "" };
  const message = "GET https://discord.com/api/v10/users/@me got an incomplete response";

  test.each<[string, unknown]>([
    ["is nothing", undefined],
    ["has no headers", { ...plain, headers: undefined }],
    ["throws about a header", {
      ...plain,
      headers: {
        get() {
          throw hostileObject();
        },
      },
    }],
    ["has a header that throws", { ...plain, headers: { get: hostileObject } }],
    ["has a status that is no number", { ...plain, status: Symbol("t0ken") }],
    ["has no text", { ...plain, text: undefined }],
    ["throws when it is read", {
      ...plain,
      text() {
        throw hostileObject();
      },
    }],
    ["has a text that throws", {
      ...plain,
      text: () => ({
        toString() {
          throw hostileObject();
        },
      }),
    }],
  ])("that %s is a failed connection", async (_what, response) => {
    useVirtualTime();
    const fetch = (): Promise<Response> => Promise.resolve(response as Response);
    expect(await untilDone(networkErrorMessage(() => getUser({ fetch })))).toBe(message);
  });
});
