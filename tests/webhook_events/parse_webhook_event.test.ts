import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { MemoryStore } from "../../mod.ts";
import { Login } from "../../src/login/mod.ts";
import {
  parseWebhookEvent,
  PayloadError,
  WebhookSignatureError,
} from "../../src/webhook_events/mod.ts";
import { createFakePlatform, sampleApplication } from "../../src/testing/mod.ts";
import { thrownBy } from "../support/responders.ts";
import { unfrozenPartsOf } from "../support/models.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** The first key of RFC 8032 section 7.1, and what OpenSSL has signed with it. */
const known = {
  publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  timestamp: "1729262573",
  body: '{"version":1,"application_id":"1234560123453231555","type":0}',
  signature: "3755e31e7e8dca2cff4f3b5fbaf3222024e993d915b2fbc6d2ea1a904bdd7810" +
    "c893321eb95e3941834e043a9653580037b6cbd7938d7cb5dceba0e46dbc1309",
};

interface Parts {
  readonly timestamp?: string | null;
  readonly signature?: string | null;
  readonly body?: BodyInit | null;
}

/** The known request, with some of it changed; `null` leaves a part out. */
function requestWith(changed: Parts = {}): Request {
  const { timestamp, signature, body } = { ...known, ...changed };
  const headers = new Headers({ "content-type": "application/json" });
  if (timestamp !== null) headers.set("x-signature-timestamp", timestamp);
  if (signature !== null) headers.set("x-signature-ed25519", signature);
  const init = { method: "POST", headers, body, duplex: "half" };
  return new Request("https://app.example/webhook-events", init);
}

/** A stream of these pieces; an error among them breaks it off. */
function streamOf(...pieces: readonly (Uint8Array | Error)[]): ReadableStream<Uint8Array> {
  const rest = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = rest.shift();
      if (piece instanceof Error) controller.error(piece);
      else if (piece) controller.enqueue(piece);
      else controller.close();
    },
  }, { highWaterMark: 0 });
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Makes it the moment at which the known request was signed, or some seconds later. */
function itIs(secondsLater = 0): void {
  vi.useFakeTimers({ toFake: ["Date"], now: (Number(known.timestamp) + secondsLater) * 1000 });
}

async function reasonFor(request: Request, publicKey = known.publicKey): Promise<unknown> {
  const error = await thrownBy(() => parseWebhookEvent(request, publicKey));
  expect(error).toBeInstanceOf(WebhookSignatureError);
  expect(error).toMatchObject({ name: "WebhookSignatureError", code: "invalid_signature" });
  return (error as WebhookSignatureError).reason;
}

describe("a webhook event", () => {
  test("is read if the key has signed it", async () => {
    itIs();
    const event = {
      type: "PING",
      version: 1,
      application_id: "1234560123453231555",
      timestamp: null,
      occurred_at: null,
    };
    expect(await parseWebhookEvent(requestWith(), known.publicKey)).toEqual(event);
    const inCapitals = requestWith({ signature: known.signature.toUpperCase() });
    expect(await parseWebhookEvent(inCapitals, known.publicKey.toUpperCase())).toEqual(event);
  });

  test("may come in pieces of any size", async () => {
    itIs();
    const bytes = bytesOf(known.body);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        const request = requestWith({ body: streamOf(...pieces) });
        expect(await parseWebhookEvent(request, known.publicKey)).toMatchObject({ type: "PING" });
      }),
      { numRuns: 20 },
    );
  });

  test("is read from an object with a Request's properties, such as a framework's own", async () => {
    itIs();
    const { headers, body, url } = requestWith();
    const request = { headers, body, url, bodyUsed: false } as Request;
    expect(await parseWebhookEvent(request, known.publicKey)).toMatchObject({ type: "PING" });
  });

  test("has the platform's time, which may be long before its signature", async () => {
    const now = Date.now();
    const fake = createFakePlatform({ now: () => now });
    const publicKey = await fake.webhookPublicKey();
    const times: unknown[] = [];
    const receive = async (request: Request) => {
      times.push((await parseWebhookEvent(request, publicKey, { tolerance: 5000 })).occurred_at);
      return new Response();
    };
    await fake.sendWebhookEvent(receive, "APPLICATION_DEAUTHORIZED", { age: 3600 });
    expect(times).toEqual([now - 3_600_000]);
  });

  test("is accepted 15 minutes before and after its signature, or within the given tolerance", async () => {
    const taken = async (seconds: number, tolerance?: number | null): Promise<boolean> => {
      itIs(seconds);
      const call = parseWebhookEvent(requestWith(), known.publicKey, { tolerance });
      return await call.then(() => true, (error) => {
        expect(error).toMatchObject({ reason: "stale" });
        return false;
      });
    };
    for (const seconds of [-900, 900]) expect(await taken(seconds), `${seconds}`).toBe(true);
    for (const seconds of [-901, 901]) expect(await taken(seconds), `${seconds}`).toBe(false);
    expect([await taken(900, null), await taken(901, null)]).toEqual([true, false]);
    expect([await taken(5, 5), await taken(6, 5)]).toEqual([true, false]);
    expect([await taken(0, 0), await taken(1, 0)]).toEqual([true, false]);
  });

  test("is repaired and reported with the path of its request", async () => {
    const fake = createFakePlatform();
    const publicKey = await fake.webhookPublicKey();
    const onUnexpected = vi.fn();
    const data = { user: { id: "1", username: "ada", avatar: 5 } };
    const found: unknown[] = [];
    await fake.sendWebhookEvent(
      async (request) => {
        found.push(await parseWebhookEvent(request, publicKey, { onUnexpected }));
        return new Response();
      },
      "APPLICATION_DEAUTHORIZED",
      { data },
    );
    expect(found).toMatchObject([{ data: { user: { id: "1", avatar: null } } }]);
    expect(unfrozenPartsOf(found[0])).toEqual([]);
    expect(onUnexpected.mock.calls).toEqual([[
      [{ path: "event.data.user.avatar", message: "expected a string, received number" }],
      { method: "POST", path: "/webhook-events" },
    ]]);
  });

  test("has avatar URLs at the platform's images", async () => {
    const fake = createFakePlatform();
    const publicKey = await fake.webhookPublicKey();
    const urlFor = async (
      platform?: { cdnUrl: string | URL } | string | null,
    ): Promise<unknown> => {
      let found: unknown;
      await fake.sendWebhookEvent(
        async (request) => {
          const event = await parseWebhookEvent(request, publicKey, { platform });
          if (event.type === "APPLICATION_DEAUTHORIZED") found = event.data.user.avatar_url;
          return new Response();
        },
        "APPLICATION_DEAUTHORIZED",
      );
      return found;
    };
    const path =
      "avatars/1000000000000000001/a_0b1c2d3e4f5061728394a5b6c7d8e901.webp?animated=true";
    expect(await urlFor(null)).toBe(`https://cdn.discordapp.com/${path}`);
    expect(await urlFor("")).toBe(`https://cdn.discordapp.com/${path}`);
    expect(await urlFor(fake.platform)).toBe(`https://platform.test/cdn/${path}`);
    expect(await urlFor(JSON.stringify(fake.platform))).toBe(`https://platform.test/cdn/${path}`);
    expect(await urlFor({ cdnUrl: new URL("https://cdn.test/x//") }))
      .toBe(`https://cdn.test/x/${path}`);
  });
});

describe("a webhook event is refused", () => {
  test.each<[string, string, Parts]>([
    ["without a signature", "missing", { signature: null }],
    ["without a time", "missing", { timestamp: null }],
    ["with an empty signature", "missing", { signature: "" }],
    ["with an empty time", "missing", { timestamp: "" }],
    ["with half a signature", "missing", { signature: known.signature.slice(64) }],
    ["with two signatures", "missing", { signature: `${known.signature}, ${known.signature}` }],
    ["with a signature and more", "missing", { signature: `${known.signature}00` }],
    ["with a signature that is no hexadecimal", "missing", { signature: "g".repeat(128) }],
    ["with a time in words", "missing", { timestamp: "2024-10-18T14:42:53" }],
    ["with a time before the first", "missing", { timestamp: `-${known.timestamp}` }],
    ["with a time in other digits", "missing", { timestamp: `0x${known.timestamp}` }],
    ["with an endless time", "missing", { timestamp: "1".repeat(400) }],
    ["with a signature of nothing", "wrong", { signature: "0".repeat(128) }],
    ["with a later time than was signed", "wrong", { timestamp: "1729262574" }],
    ["with the same time in more digits", "wrong", { timestamp: "01729262573" }],
    ["without a body", "wrong", { body: null }],
    ["with an empty body", "wrong", { body: "" }],
    ["with white space behind the body", "wrong", { body: `${known.body}\n` }],
    ["with the same event formatted differently", "wrong", {
      body: JSON.stringify(JSON.parse(known.body), null, 2),
    }],
  ])("%s: %s", async (_what, reason, changed) => {
    itIs();
    expect(await reasonFor(requestWith(changed))).toBe(reason);
  });

  test("with a digit of its time moved into the body, although the signed bytes are the same", async () => {
    itIs();
    const moved = {
      timestamp: known.timestamp.slice(0, -1),
      body: known.timestamp.slice(-1) + known.body,
    };
    expect(await reasonFor(requestWith(moved))).toBe("stale");
  });

  test("with any bit of its body, its time or its signature flipped", async () => {
    itIs();
    const flipped = (text: string, bit: number): Uint8Array<ArrayBuffer> => {
      const bytes = bytesOf(text);
      const at = bit % (bytes.length * 8);
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7));
      return bytes;
    };
    const signatureBytes = known.signature.match(/../g)?.map((hex) => parseInt(hex, 16)) ?? [];
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (bit) => {
        const body = flipped(known.body, bit);
        expect(await reasonFor(requestWith({ body }))).toBe("wrong");
        const at = bit % 512;
        const signature = signatureBytes
          .map((byte, index) => index === at >> 3 ? byte ^ (1 << (at & 7)) : byte)
          .map((byte) => byte.toString(16).padStart(2, "0")).join("");
        expect(await reasonFor(requestWith({ signature }))).toBe("wrong");
        const timestamp = new TextDecoder("latin1").decode(flipped(known.timestamp, bit));
        // Neither end of a header may be white space, and some bytes may not be in one.
        fc.pre(/^[!-~]+$/.test(timestamp));
        expect(await reasonFor(requestWith({ timestamp }))).toMatch(/^(missing|wrong)$/);
      }),
      { numRuns: 200 },
    );
  });

  test("that another key has signed", async () => {
    const fake = createFakePlatform();
    // A key belongs to an application, and is the same on every platform.
    const other = createFakePlatform({ applications: [{ ...sampleApplication, id: "7" }] });
    const publicKey = await other.webhookPublicKey();
    const receive = vi.fn(async (request: Request) => {
      expect(await reasonFor(request, publicKey)).toBe("wrong");
      return new Response();
    });
    await fake.sendWebhookEvent(receive, "APPLICATION_DEAUTHORIZED");
    expect(receive).toHaveBeenCalledOnce();
  });

  test("that is longer than any event, without being read to the end", async () => {
    itIs();
    let sent = 0;
    const cancelled = vi.fn();
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(100_000));
        sent += 100_000;
      },
      cancel: cancelled,
    }, { highWaterMark: 0 });
    expect(await reasonFor(requestWith({ body }))).toBe("too_large");
    expect(sent).toBe(1_100_000);
    expect(cancelled).toHaveBeenCalledOnce();
    expect(await reasonFor(requestWith({ body: "x".repeat(1024 * 1024) }))).toBe("wrong");
    expect(await reasonFor(requestWith({ body: "x".repeat(1024 * 1024 + 1) }))).toBe("too_large");
  });

  test("that is incomplete", async () => {
    itIs();
    const body = streamOf(bytesOf(known.body.slice(0, 20)), new Error("ECONNRESET of t0ken"));
    const error = await thrownBy(() => parseWebhookEvent(requestWith({ body }), known.publicKey));
    expect(error).toMatchObject({ name: "WebhookSignatureError", reason: "incomplete" });
    expect(String(error)).not.toContain("t0ken");
  });
});

describe("a signed body that is not an event", () => {
  test.each<[string, unknown]>([
    ["a list", []],
    ["nothing in it", {}],
    ["an event without a type", { type: 1, event: {} }],
    ["no event", { type: 1 }],
    ["a person without an id", {
      type: 1,
      event: { type: "APPLICATION_DEAUTHORIZED", data: { user: { username: "ada" } } },
    }],
  ])("is a PayloadError: %s", async (_what, payload) => {
    const { request, publicKey } = await signedByUs(JSON.stringify(payload));
    expect(await thrownBy(() => parseWebhookEvent(request, publicKey)))
      .toBeInstanceOf(PayloadError);
  });

  test.each(["", "{", "<html>", "\ufeff"])("is a PayloadError: %j", async (body) => {
    const { request, publicKey } = await signedByUs(body);
    const error = await thrownBy(() => parseWebhookEvent(request, publicKey));
    expect(error).toMatchObject({
      name: "PayloadError",
      message: "The webhook event can't be read: expected JSON, received something else",
    });
  });
});

describe("a wrong argument is named:", () => {
  const { publicKey } = known;
  const read = async (): Promise<Request> => {
    const request = requestWith();
    await request.text();
    return request;
  };
  const locked = (): Request => {
    const request = requestWith();
    request.body?.getReader();
    return request;
  };
  const parsed = { headers: { "x-signature-ed25519": "" }, url: "/events", body: { type: 0 } };
  const inExpress = { ...parsed, get: () => "" };

  test.each<[string, () => Promise<unknown>]>([
    ["request", async () => parseWebhookEvent(await read(), publicKey)],
    ["request", () => parseWebhookEvent(locked(), publicKey)],
    ["request", () => parseWebhookEvent(parsed as never, publicKey)],
    ["request", () => parseWebhookEvent(inExpress as never, publicKey)],
    [
      "request",
      () => parseWebhookEvent({ ...inExpress, headers: new Headers() } as never, publicKey),
    ],
    ["request", () => parseWebhookEvent(known.body as never, publicKey)],
    ["request", () => parseWebhookEvent(undefined as never, publicKey)],
    ["publicKey", () => parseWebhookEvent(requestWith(), "")],
    ["publicKey", () => parseWebhookEvent(requestWith(), undefined as never)],
    ["publicKey", () => parseWebhookEvent(requestWith(), publicKey.slice(1))],
    ["publicKey", () => parseWebhookEvent(requestWith(), `0x${publicKey.slice(2)}`)],
    ["publicKey", () => parseWebhookEvent(requestWith(), publicKey.split("") as never)],
    ["tolerance", () => parseWebhookEvent(requestWith(), publicKey, { tolerance: -1 })],
    ["tolerance", () => parseWebhookEvent(requestWith(), publicKey, { tolerance: NaN })],
    ["tolerance", () => parseWebhookEvent(requestWith(), publicKey, { tolerance: "1" as never })],
    [
      "platform.cdnUrl",
      () => parseWebhookEvent(requestWith(), publicKey, { platform: { cdnUrl: "cdn" } }),
    ],
  ])("%s", async (name, call) => {
    const error = await thrownBy(call);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(`TypeError: ${name} must be `);
  });

  test("a misspelled option", async () => {
    const options: object = { tolerence: 60 };
    const error = await thrownBy(() => parseWebhookEvent(requestWith(), publicKey, options));
    expect(error).toEqual(new TypeError("options.tolerence is unknown: did you mean tolerance?"));
  });

  test("request, with a hint", async () => {
    const error = await thrownBy(() => parseWebhookEvent(inExpress as never, publicKey));
    expect(error).toMatchObject({
      message:
        "request must be a Request with an unread body, since the signature covers its bytes, received object",
    });
  });
});

describe("the handler of the documentation", () => {
  const fake = createFakePlatform();
  const ada = "1000000000000000001";

  async function serve() {
    const publicKey = await fake.webhookPublicKey();
    const store = new MemoryStore();
    await store.save(ada, "her token", { version: null });
    const handler = async (request: Request): Promise<Response> => {
      try {
        const event = await parseWebhookEvent(request, publicKey);
        if (event.type === "APPLICATION_DEAUTHORIZED") await store.delete(event.data.user.id);
      } catch (error) {
        if (error instanceof WebhookSignatureError) return new Response(null, { status: 401 });
        throw error;
      }
      return new Response(null, { status: 204, headers: { "content-type": "application/json" } });
    };
    return { store, handler };
  }

  test("passes the platform's check, and deletes the tokens of a person who takes access away", async () => {
    const { store, handler } = await serve();
    const event = { as: "grace", checkFirst: true };
    expect((await fake.sendWebhookEvent(handler, "APPLICATION_DEAUTHORIZED", event)).status)
      .toBe(204);
    expect(await store.load(ada)).not.toBe(null);
    for (let delivery = 0; delivery < 2; delivery++) {
      const answer = await fake.sendWebhookEvent(handler, "APPLICATION_DEAUTHORIZED", {
        as: "ada",
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
    expect(await store.load(ada)).toBe(null);
  });

  test.each(
    [{ signature: "wrong" }, { signature: "missing" }, { age: 901 }, { age: -901 }] as const,
  )(
    "responds with 401, and deletes nothing, for %j",
    async (how) => {
      const { store, handler } = await serve();
      const event = { as: "ada", ...how };
      expect((await fake.sendWebhookEvent(handler, "APPLICATION_DEAUTHORIZED", event)).status)
        .toBe(401);
      expect(await store.load(ada)).not.toBe(null);
    },
  );

  test("responds with 204 to every other type of event", async () => {
    const { handler } = await serve();
    for (const type of ["PING", "APPLICATION_AUTHORIZED", "QUEST_USER_ENROLLMENT", "NEW_EVENT"]) {
      expect((await fake.sendWebhookEvent(handler, type)).status).toBe(204);
    }
  });
});

describe("the time of an event", () => {
  const ada = "1000000000000000001";

  test.each([
    ["ends the sessions that began before it", 30_000, [null, ada]],
    ["ends all sessions if it is missing", undefined, [null, null]],
    ["ends all sessions if it can't be read", "some day", [null, null]],
  ])("%s", async (_what, time, expected) => {
    const fake = createFakePlatform();
    const login = new Login({
      clientId: sampleApplication.id,
      clientSecret: sampleApplication.secret,
      scope: ["identify"],
      secret: "random text of at least 32 characters",
      store: new MemoryStore(),
      platform: fake.platform,
      fetch: fake.fetch,
    });
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const handle = async (request: Request) => await login.handle(request) ?? new Response();
    const old = await fake.login(handle, { as: "ada" });
    vi.setSystemTime(start + 60_000);
    const young = await fake.login(handle, { as: "ada" });

    const timestamp = typeof time === "number" ? new Date(start + time).toISOString() : time;
    const data = { user: { id: ada, username: "ada" } };
    const payload = { type: 1, event: { type: "APPLICATION_DEAUTHORIZED", timestamp, data } };
    const { request, publicKey } = await signedByUs(JSON.stringify(payload));
    const { occurred_at: startedBefore } = await parseWebhookEvent(request, publicKey);
    await login.endAll(ada, { startedBefore });

    const found = [old, young].map(({ jar, url }) => login.session(jar.request(url)));
    expect((await Promise.all(found)).map((session) => session?.user.id ?? null)).toEqual(expected);
  });
});

/** A request with any body, signed now. */
async function signedByUs(body: string): Promise<{ request: Request; publicKey: string }> {
  const pair = await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  const hex = (bytes: ArrayBuffer): string =>
    Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = bytesOf(timestamp + body);
  const signature = hex(await crypto.subtle.sign("Ed25519", pair.privateKey, signed));
  const publicKey = hex(await crypto.subtle.exportKey("raw", pair.publicKey));
  return { request: requestWith({ timestamp, signature, body }), publicKey };
}
