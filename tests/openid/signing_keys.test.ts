import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { discord } from "../../mod.ts";
import { verifyIdToken } from "../../src/openid/mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import {
  acceptConnections,
  closedPort,
  type Responder,
  respondWith,
  thrownBy,
} from "../support/responders.ts";
import { eventually } from "../support/eventually.ts";
import {
  clientId,
  keyPair,
  platformRespondingWith,
  platformWith,
  signed,
} from "../support/id_tokens.ts";
import { leaksOf } from "../support/leaks.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const [first, second] = [await keyPair("first"), await keyPair("second")];
const taken = { sub: "1000000000000000001" };
const listing = (...keys: readonly object[]): Responder => respondWith({ keys });

describe("the platform's keys", () => {
  test("are read once an hour for all callers", async () => {
    const { requests, ...platform } = platformWith(first);
    const lasting = { exp: Date.now() / 1000 + 86_400 };
    const idToken = await signed(first, lasting);
    for (let i = 0; i < 3; i++) {
      // An object of its own each time, as in a handler that makes one for each request.
      const options = { clientId, fetch: platform.fetch, platform: { ...discord } };
      expect(await verifyIdToken(idToken, options)).toMatchObject(taken);
    }
    expect(requests).toHaveLength(1);
    vi.advanceTimersByTime(3_599_999);
    await verifyIdToken(idToken, { clientId, ...platform });
    expect(requests).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await verifyIdToken(idToken, { clientId, ...platform });
    expect(requests).toHaveLength(2);
  });

  test("are kept for each platform, also if two have the same address", async () => {
    const [one, other] = [platformWith(first), platformWith(second)];
    expect(await verifyIdToken(await signed(first), { ...one, clientId })).toMatchObject(taken);
    expect(await verifyIdToken(await signed(second), { ...other, clientId })).toMatchObject(taken);
    expect(await thrownBy(async () => verifyIdToken(await signed(first), { ...other, clientId })))
      .toMatchObject({ reason: "unknown_key" });
    const elsewhere = { ...discord, apiUrl: "https://elsewhere.example/api" };
    await verifyIdToken(await signed(first), { ...one, clientId, platform: elsewhere });
    expect(one.requests.map(({ url }) => url)).toEqual([
      "https://discord.com/api/v10/oauth2/keys",
      "https://elsewhere.example/api/oauth2/keys",
    ]);
  });

  test("are read again after the clock was set back", async () => {
    const { requests, ...platform } = platformRespondingWith(
      listing(first.jwk),
      listing(first.jwk, second.jwk),
    );
    const options = { ...platform, clientId };
    const now = Date.now();
    vi.setSystemTime(now + 8 * 3_600_000);
    await verifyIdToken(await signed(first), options);
    vi.setSystemTime(now);
    expect(await verifyIdToken(await signed(second), options)).toMatchObject(taken);
    expect(requests).toHaveLength(2);
  });

  test("are read again after a failure and a clock that was set back", async () => {
    const platform = platformRespondingWith(respondWith("<html>"), listing(first.jwk));
    const options = { ...platform, clientId };
    const now = Date.now();
    vi.setSystemTime(now + 8 * 3_600_000);
    await thrownBy(async () => verifyIdToken(await signed(first), options));
    vi.setSystemTime(now);
    expect(await verifyIdToken(await signed(first), options)).toMatchObject(taken);
  });

  test("are kept for a hundred platforms", async () => {
    const { fetch, requests } = platformWith(first);
    const idToken = await signed(first);
    const isKept = async (number: number): Promise<boolean> => {
      const before = requests.length;
      const platform = { ...discord, apiUrl: `https://chat.example/${number}` };
      await verifyIdToken(idToken, { clientId, fetch, platform });
      return requests.length === before;
    };
    for (let number = 1; number <= 100; number++) await isKept(number);
    expect(await isKept(1)).toBe(true);
    expect(await isKept(101)).toBe(false);
    expect(await isKept(2)).toBe(false);
  });

  test("are asked for again after a short trouble if no key is known yet", async () => {
    const { requests, ...platform } = platformRespondingWith(
      respondWith("", { status: 503 }),
      listing(first.jwk),
    );
    expect(await verifyIdToken(await signed(first), { ...platform, clientId }))
      .toMatchObject(taken);
    expect(requests).toHaveLength(2);
  });

  test("are read with the global fetch by default", async () => {
    const { fetch, requests } = platformWith(first);
    vi.stubGlobal("fetch", fetch);
    try {
      expect(await verifyIdToken(await signed(first), { clientId })).toMatchObject(taken);
      expect(requests).toHaveLength(1);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("are read again for a token with an unknown key", async () => {
    const { requests, ...platform } = platformRespondingWith(
      listing(first.jwk),
      listing(first.jwk, second.jwk),
    );
    await verifyIdToken(await signed(first), { ...platform, clientId });
    vi.advanceTimersByTime(30_000);
    expect(await verifyIdToken(await signed(second), { ...platform, clientId }))
      .toMatchObject(taken);
    expect(requests).toHaveLength(2);
  });

  test("are not read again within half a minute, even if many forged tokens come", async () => {
    const { requests, ...platform } = platformWith(first);
    const forged = await signed(second);
    const refused = async (): Promise<void> => {
      const error = await thrownBy(() => verifyIdToken(forged, { ...platform, clientId }));
      expect(error).toMatchObject({ name: "IdTokenError", reason: "unknown_key" });
    };
    for (let i = 0; i < 5; i++) await refused();
    expect(requests).toHaveLength(1);
    vi.advanceTimersByTime(30_000);
    for (let i = 0; i < 5; i++) await refused();
    expect(requests).toHaveLength(2);
    vi.advanceTimersByTime(29_999);
    await refused();
    expect(requests).toHaveLength(2);
  });

  test.each<[string, readonly Responder[], string]>([
    ["responds", [listing(first.jwk)], "IdTokenError"],
    ["responds, and then fails", [listing(first.jwk), respondWith("<html>")], "PayloadError"],
    [
      "responds, and is then in trouble",
      [listing(first.jwk), respondWith("", { status: 500 })],
      "ApiError",
    ],
    ["fails", [respondWith("<html>")], "PayloadError"],
  ])(
    "are read once for 300 forged tokens with unknown keys if the platform %s",
    async (_what, responses, name) => {
      const { requests, ...platform } = platformRespondingWith(...responses);
      const before = responses.length - 1;
      if (before > 0) {
        await verifyIdToken(await signed(first), { ...platform, clientId });
        vi.advanceTimersByTime(30_000);
      }
      const forged = await Promise.all(
        Array.from({ length: 300 }, (_, index) => signed(second, {}, { kid: `forged-${index}` })),
      );
      const refused = async (idToken: string): Promise<void> => {
        const error = await thrownBy(() => verifyIdToken(idToken, { ...platform, clientId }));
        expect(error).toMatchObject({ name });
      };
      // At the same time, and one after the other.
      await Promise.all(forged.slice(0, 150).map(refused));
      for (const idToken of forged.slice(150)) await refused(idToken);
      expect(requests).toHaveLength(before + 1);
    },
  );

  test("are waited for while another call reads them, unless the caller aborts", async () => {
    const fake = createFakePlatform();
    fake.failNext({ path: "/oauth2/keys", hang: true });
    const idToken = await signed(first);
    const [reading, waiting] = [new AbortController(), new AbortController()];
    const calls = [reading, waiting].map(({ signal }) =>
      thrownBy(() => verifyIdToken(idToken, { ...fake, clientId, signal }))
    );
    await eventually(() => expect(fake.requests).not.toEqual([]));
    waiting.abort(new Error("left"));
    expect(await calls[1]).toMatchObject({ message: "left" });
    expect(fake.requests).toHaveLength(1);
    reading.abort(new Error("left as well"));
    expect(await calls[0]).toMatchObject({ message: "left as well" });
  });

  test("are waited for until the time limit of the waiting call", async () => {
    const fake = createFakePlatform();
    fake.failNext({ path: "/oauth2/keys", hang: true });
    const idToken = await signed(first);
    const reading = new AbortController();
    const read = thrownBy(() =>
      verifyIdToken(idToken, { ...fake, clientId, signal: reading.signal })
    );
    await eventually(() => expect(fake.requests).not.toEqual([]));
    const begin = performance.now();
    const options = { ...fake, clientId, timeout: 100 };
    expect(await thrownBy(() => verifyIdToken(idToken, options))).toMatchObject({
      name: "TimeoutError",
      message: expect.stringContaining("got no response within 100 ms in an identical call"),
    });
    expect(performance.now() - begin).toBeLessThan(5000);
    expect(fake.requests).toHaveLength(1);
    reading.abort();
    await read;
  });

  test("are not read for a token that can't be the platform's", async () => {
    const { requests, ...platform } = platformWith(first);
    for (
      const idToken of [null, "", "a.b.c", "\u00e9.\ud83c.\u00e9", `${btoa('{"alg":"none"}')}.e30.`]
    ) {
      await thrownBy(() => verifyIdToken(idToken, { ...platform, clientId }));
    }
    expect(requests).toEqual([]);
  });

  test.each<[string, object]>([
    ["an elliptic curve", { kty: "EC", crv: "P-256", x: "AA", y: "AA" }],
    ["a shared secret", { kty: "oct", k: first.jwk["n"] }],
    ["one that is too short", { ...first.jwk, n: String(first.jwk["n"]).slice(0, 171) }],
    ["one for encryption", { ...first.jwk, use: "enc" }],
    ["one for another algorithm", { ...first.jwk, alg: "RS512" }],
    ["one without an exponent", { ...first.jwk, e: undefined }],
    ["one with an exponent that is no base64url", { ...first.jwk, e: "****" }],
    ["one with an exponent of 0", { ...first.jwk, e: "AA" }],
    ["one with an exponent of 1", { ...first.jwk, e: "AQ" }],
    ["one with an exponent of 3", { ...first.jwk, e: "Aw" }],
    ["one with an exponent of 17", { ...first.jwk, e: "EQ" }],
    ["one with an exponent of 65535", { ...first.jwk, e: "__8" }],
    ["one with an exponent of 65536", { ...first.jwk, e: "AQAA" }],
    ["one with an exponent of 3 in four bytes", { ...first.jwk, e: "AAAAAw" }],
    ["one with a name that can't be read", { ...first.jwk, kid: 5 }],
    ["nothing", {}],
  ])("are used without %s", async (_what, jwk) => {
    const bad = { kid: "first", ...jwk };
    const forged = await signed(first);
    const alone = platformRespondingWith(listing(bad));
    expect(await thrownBy(() => verifyIdToken(forged, { ...alone, clientId })))
      .toMatchObject({ name: "IdTokenError", reason: "unknown_key" });
    const beside = platformRespondingWith(listing(bad, second.jwk));
    expect(await verifyIdToken(await signed(second), { ...beside, clientId }))
      .toMatchObject(taken);
  });

  test.each<[string, object]>([
    ["a modulus of 0", { n: "A".repeat(342) }],
    ["an even modulus", { n: "g".repeat(342) }],
    ["a modulus of a length that base64url does not have", { n: "g".repeat(345) }],
  ])("verify nothing with %s", async (_what, numbers) => {
    const platform = platformRespondingWith(listing({ ...first.jwk, ...numbers }));
    const error = await thrownBy(async () =>
      verifyIdToken(await signed(first), { ...platform, clientId })
    );
    expect(error).toMatchObject({ name: "IdTokenError", reason: "signature" });
  });

  test("are read without a private part that the platform publishes by mistake", async () => {
    const secret = await crypto.subtle.exportKey("jwk", first.privateKey);
    const both = { ...secret, ...first.jwk, key_ops: ["sign"], ext: false, x5c: ["MIIB"] };
    expect(
      await verifyIdToken(await signed(first), {
        ...platformRespondingWith(listing(both)),
        clientId,
      }),
    )
      .toMatchObject(taken);
  });

  test("may have only the fields that RSA needs", async () => {
    const { kty, n, e } = first.jwk;
    expect(
      await verifyIdToken(await signed(first, {}, { kid: undefined } as never), {
        ...platformRespondingWith(listing({ kty, n, e })),
        clientId,
      }),
    ).toMatchObject(taken);
  });
});

describe("without the platform's keys a token is neither accepted nor called forged if", () => {
  test.each<[string, Responder, string, number?]>([
    ["401", respondWith({ message: "401: Unauthorized", code: 0 }, { status: 401 }), "ApiError"],
    ["429", respondWith({ retry_after: 60 }, { status: 429 }), "RateLimitError", 60_000],
    ["429 without a time", respondWith({}, { status: 429 }), "RateLimitError", 5000],
    ["503 and a time", respondWith({ retry_after: 61 }, { status: 503 }), "ApiError", 60_000],
    ["HTML", respondWith("<html>"), "PayloadError"],
    ["no list", respondWith({ keys: {} }), "PayloadError"],
    ["nothing", respondWith({}), "PayloadError"],
    ["a body of 2 MiB", respondWith("x".repeat(2 << 20)), "PayloadTooLargeError"],
  ])("the platform responds with %s", async (_what, response, name, pause = 10_000) => {
    const idToken = await signed(first);
    const platform = platformRespondingWith(response, listing(first.jwk));
    const options = { ...platform, clientId, timeout: 200, maxBytes: 1 << 20 };
    const error = await thrownBy(() => verifyIdToken(idToken, options));
    expect(error).toMatchObject({ name });
    expect(leaksOf(error, [idToken])).toEqual([]);
    // The failure is kept for a short time, so that nobody can cause more requests.
    expect(await thrownBy(() => verifyIdToken(idToken, options))).toBe(error);
    expect(platform.requests).toHaveLength(1);
    vi.advanceTimersByTime(pause - 1);
    expect(await thrownBy(() => verifyIdToken(idToken, options))).toBe(error);
    vi.advanceTimersByTime(1);
    expect(await verifyIdToken(idToken, options)).toMatchObject(taken);
  });

  test("there is no connection or no response", async () => {
    const idToken = await signed(first);
    vi.useRealTimers();
    const down = await closedPort();
    expect(await thrownBy(() => verifyIdToken(idToken, { clientId, platform: down })))
      .toMatchObject({ name: "NetworkError" });
    const silent = await acceptConnections(() => {});
    const options = { clientId, timeout: 200 };
    expect(await thrownBy(() => verifyIdToken(idToken, { ...options, platform: silent })))
      .toMatchObject({ name: "TimeoutError" });
  });

  test("the caller aborts", async () => {
    const fake = createFakePlatform();
    fake.failNext({ path: "/oauth2/keys", hang: true });
    const left = new AbortController();
    const idToken = await signed(first);
    const call = verifyIdToken(idToken, { ...fake, clientId, signal: left.signal });
    await eventually(() => expect(fake.requests).not.toEqual([]));
    left.abort(new Error("left"));
    expect(await thrownBy(() => call)).toMatchObject({ message: "left" });
    // That says nothing about the platform.
    fake.failNext({ path: "/oauth2/keys", status: 403, body: {} });
    expect(await thrownBy(() => verifyIdToken(idToken, { ...fake, clientId })))
      .toMatchObject({ name: "ApiError" });
  });

  test("a second request for the keys fails; tokens with a known key are still accepted", async () => {
    const platform = platformRespondingWith(
      listing(first.jwk),
      respondWith("<html>"),
      listing(first.jwk, second.jwk),
    );
    const options = { ...platform, clientId };
    await verifyIdToken(await signed(first), options);
    vi.advanceTimersByTime(30_000);
    expect(await thrownBy(async () => verifyIdToken(await signed(second), options)))
      .toMatchObject({ name: "PayloadError" });
    expect(await verifyIdToken(await signed(first), options)).toMatchObject(taken);
    vi.advanceTimersByTime(10_000);
    expect(await verifyIdToken(await signed(second), options)).toMatchObject(taken);
  });

  test("a key can't be read, which is reported", async () => {
    const onUnexpected = vi.fn();
    const platform = platformRespondingWith(listing({ kty: "EC" }, first.jwk));
    await verifyIdToken(await signed(first), { ...platform, clientId, onUnexpected });
    expect(onUnexpected.mock.calls).toEqual([[
      expect.arrayContaining([{ path: "keys.0.kty", message: "expected RSA, received string" }]),
      { method: "GET", path: "/oauth2/keys" },
    ]]);
  });
});
