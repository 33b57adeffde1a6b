import { describe, expect, test } from "vitest";
import {
  ApiError,
  MemoryStore,
  MissingScopeError,
  PayloadError,
  PlatformApi,
  TokenSource,
} from "../../mod.ts";
import { AuthorizedHttp, type AuthorizedRequest } from "../../src/api/authorized_http.ts";
import { fakeFetch, respondWith, thrownBy } from "../support/responders.ts";

const request: AuthorizedRequest = {
  method: "GET",
  operation: "getIt()",
  scope: null,
  path: "/it",
};

const token = {
  access_token: "t0ken",
  token_type: "Bearer",
  expires_in: null,
  expires_at: null,
  refresh_token: null,
  scope: "guilds",
  scopes: ["guilds"],
  guild: null,
  webhook: null,
  id_token: null,
};

describe("a request with a token", () => {
  test("carries the token, and returns the model of the payload", async () => {
    const { fetch, requests } = fakeFetch(respondWith({ is: "it" }));
    const http = new AuthorizedHttp("b0t", { fetch, tokenType: "Bot" });
    expect(await http.request(request, (payload) => payload)).toEqual({ is: "it" });
    expect(requests[0]?.headers.get("authorization")).toBe("Bot b0t");
  });

  test("is not sent when the token lacks the needed scope", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}));
    const http = new AuthorizedHttp(token, { fetch });
    const needing = { ...request, scope: "identify" };
    await expect(http.request(needing, String)).rejects.toThrow(MissingScopeError);
    expect(requests).toEqual([]);
  });

  test.each([[401, "expired or been revoked"], [404, "that the token may do this"]])(
    "that is refused with %i names a scope in the hint only if it needs one",
    async (status, hint) => {
      const failing = () => new AuthorizedHttp("t0ken", fakeFetch(respondWith("{}", { status })));
      const without = await thrownBy(() => failing().request(request, String));
      expect(without).toBeInstanceOf(ApiError);
      expect(without).toMatchObject({ hint: expect.stringMatching(`${hint}$`) });
      const needing = { ...request, scope: "guilds" };
      expect(await thrownBy(() => failing().request(needing, String)))
        .toMatchObject({ hint: expect.stringMatching(`${hint}, and .* scope guilds$`) });
    },
  );

  test("reports the repairs of its response with its method and path", async () => {
    const reported: unknown[] = [];
    const onUnexpected = (...report: unknown[]) => reported.push(report);
    const http = new AuthorizedHttp("t0ken", { ...fakeFetch(respondWith({})), onUnexpected });
    const issues = [{ path: "a", message: "b" }];
    const put: AuthorizedRequest = { ...request, method: "PUT", json: {} };
    await http.request(put, (_payload, report) => report(issues));
    expect(reported).toEqual([[issues, { method: "PUT", path: "/it" }]]);
  });

  test("rejects with the error of its reader", async () => {
    const http = new AuthorizedHttp("t0ken", fakeFetch(respondWith({})));
    const reader = () => {
      throw new PayloadError("unreadable", { issues: [] });
    };
    await expect(http.request(request, reader)).rejects.toThrow("unreadable");
  });
});

describe("reads of the same path", () => {
  const list = (payload: unknown): readonly unknown[] => payload as unknown[];

  test("share one request while it is in flight, and not longer", async () => {
    const { fetch, requests } = fakeFetch(respondWith({ is: "it" }));
    const http = new AuthorizedHttp("t0ken", { fetch });
    const read = () => http.request(request, (payload) => Object.freeze({ payload }));
    const [first, second] = await Promise.all([read(), read()]);
    expect(first).toBe(second);
    expect(requests).toHaveLength(1);
    expect(await read()).not.toBe(first);
    expect(requests).toHaveLength(2);
  });

  test("each get a list of their own", async () => {
    const http = new AuthorizedHttp("t0ken", fakeFetch(respondWith([1, 2])));
    const read = () => http.request(request, list);
    const [first, second] = await Promise.all([read(), read()]);
    expect(first).toEqual([1, 2]);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
  });

  test("fail with the same error", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}, { status: 404 }));
    const http = new AuthorizedHttp("t0ken", { fetch });
    const read = () => thrownBy(() => http.request(request, String));
    const [first, second] = await Promise.all([read(), read()]);
    expect(first).toBeInstanceOf(ApiError);
    expect(second).toBe(first);
    expect(requests).toHaveLength(1);
  });

  test.each<[string, Partial<AuthorizedRequest>]>([
    ["another path", { path: "/that" }],
    ["another query", { query: { limit: 1 } }],
    ["another operation", { operation: "getThat()" }],
    ["another method", { method: "DELETE" }],
  ])("do not share a request with a read that has %s", async (_what, other) => {
    const { fetch, requests } = fakeFetch(respondWith({}));
    const http = new AuthorizedHttp("t0ken", { fetch });
    await Promise.all([
      http.request(request, String),
      http.request({ ...request, ...other }, String),
    ]);
    expect(requests).toHaveLength(2);
  });

  test("share nothing when they change something", async () => {
    const { fetch, requests } = fakeFetch(respondWith({}));
    const http = new AuthorizedHttp("t0ken", { fetch });
    const put = () => http.request({ ...request, method: "PUT", json: {} }, String);
    await Promise.all([put(), put()]);
    expect(requests).toHaveLength(2);
  });
});

test("After one of many reads gets a 401, all go on with the next token", async () => {
  const refused = respondWith({ message: "401: Unauthorized", code: 0 }, { status: 401 });
  const { fetch, requests } = fakeFetch(refused, respondWith({ is: "it" }));
  const api = new PlatformApi(
    "1",
    "s3cret",
    ["guilds"],
    "https://app.example/",
    fakeFetch(
      respondWith({
        access_token: "n3w",
        token_type: "Bearer",
        expires_in: 1000,
        refresh_token: "n3xt",
      }),
    ),
  );
  const source = new TokenSource(api, new MemoryStore(), "ada");
  await source.save({
    ...token,
    expires_in: 1000,
    expires_at: Date.now() + 1_000_000,
    refresh_token: "r3fresh",
  });
  const http = new AuthorizedHttp(source, { fetch });
  const reads = [1, 2, 3].map((limit) =>
    http.request({ ...request, query: { limit } }, (payload) => payload)
  );
  expect(await Promise.all(reads)).toEqual(Array(3).fill({ is: "it" }));
  expect(requests.map(({ headers }) => headers.get("authorization")))
    .toEqual(["Bearer t0ken", "Bearer n3w", "Bearer n3w", "Bearer n3w"]);
});
