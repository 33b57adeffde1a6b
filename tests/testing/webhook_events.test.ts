import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type FakePlatform, nodeListener } from "../../src/testing/mod.ts";
import {
  APP,
  basicAuth,
  bearerToken,
  get,
  postForm,
  PUBLIC_APP,
  readJson,
  requestToken,
  smallPlatform,
} from "./small_platform.ts";
import { eventually } from "../support/eventually.ts";

const taken = (): Response =>
  new Response(null, { status: 204, headers: { "content-type": "application/json" } });

/** A handler that records its requests, and responds with 401 to a wrong signature. */
function receiver(publicKey: string) {
  const received: { isSigned: boolean; timestamp: string; payload: unknown; url: string }[] = [];
  const bytesOf = (hex: string) =>
    Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const handler = async (request: Request): Promise<Response> => {
    const text = await request.text();
    const timestamp = request.headers.get("x-signature-timestamp") ?? "";
    const signature = bytesOf(request.headers.get("x-signature-ed25519") ?? "");
    const raw = bytesOf(publicKey);
    const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    const signed = new TextEncoder().encode(timestamp + text);
    const isSigned = await crypto.subtle.verify("Ed25519", key, signature, signed);
    expect(request.method).toBe("POST");
    expect(request.headers.get("content-type")).toBe("application/json");
    received.push({ isSigned, timestamp, payload: JSON.parse(text), url: request.url });
    return isSigned ? taken() : new Response(null, { status: 401 });
  };
  return { received, handler };
}

describe("FakePlatform.sendWebhookEvent()", () => {
  test("signs the timestamp and the body with the application's key", async () => {
    const fake = smallPlatform({ now: () => 1_729_262_573_064 });
    const { received, handler } = receiver(await fake.webhookPublicKey());
    const response = await fake.sendWebhookEvent(handler, "APPLICATION_DEAUTHORIZED", {
      as: "bob",
    });
    expect(response.status).toBe(204);
    expect(received).toMatchObject([{
      isSigned: true,
      timestamp: "1729262573",
      payload: {
        version: 1,
        application_id: "100",
        type: 1,
        event: {
          type: "APPLICATION_DEAUTHORIZED",
          timestamp: "2024-10-18T14:42:53.064000",
          data: { user: { id: "2", username: "bob" } },
        },
      },
    }]);
    expect(received[0]?.payload).not.toHaveProperty("event.data.user.email");
    fake.advance(60_000);
    await fake.sendWebhookEvent(handler, "PING");
    expect(received[1]).toMatchObject({ timestamp: "1729262633" });
    expect(received[1]?.payload).toEqual({ version: 1, application_id: "100", type: 0 });
  });

  test("describes the authorization in APPLICATION_AUTHORIZED", async () => {
    const fake = smallPlatform();
    const { received, handler } = receiver(await fake.webhookPublicKey());
    await fake.sendWebhookEvent(handler, "APPLICATION_AUTHORIZED");
    const scopes = ["bot", "identify"];
    await fake.sendWebhookEvent(handler, "APPLICATION_AUTHORIZED", { scopes, guildId: "70" });
    expect(received.map(({ payload }) => payload)).toMatchObject([
      { event: { data: { integration_type: 1, user: { id: "1" }, scopes: ["identify"] } } },
      {
        event: {
          data: {
            integration_type: 0,
            user: { id: "1" },
            scopes,
            guild: { id: "70", name: "Looms" },
          },
        },
      },
    ]);
  });

  test("sends the given `data`, and none for other events", async () => {
    const fake = smallPlatform();
    const { received, handler } = receiver(await fake.webhookPublicKey());
    await fake.sendWebhookEvent(handler, "ENTITLEMENT_CREATE", { data: { id: "5" } });
    await fake.sendWebhookEvent(handler, "APPLICATION_DEAUTHORIZED", { data: null });
    await fake.sendWebhookEvent(handler, "ENTITLEMENT_DELETE");
    expect(received.map(({ payload }) => payload)).toMatchObject([
      { event: { type: "ENTITLEMENT_CREATE", data: { id: "5" } } },
      { event: { data: null } },
      { event: { type: "ENTITLEMENT_DELETE" } },
    ]);
    expect(received[2]?.payload).not.toHaveProperty("event.data");
  });

  test("sends a wrong signature, none, or one of another time", async () => {
    const fake = smallPlatform({ now: () => 1_729_262_573_000 });
    const { received, handler } = receiver(await fake.webhookPublicKey());
    const send = async (how: object): Promise<number> =>
      (await fake.sendWebhookEvent(handler, "PING", how)).status;
    expect(await send({ signature: "wrong" })).toBe(401);
    expect(await send({ signature: "missing" })).toBe(401);
    expect(await send({ age: 1000 })).toBe(204);
    expect(await send({ age: -1 })).toBe(204);
    expect(received.map(({ timestamp }) => timestamp))
      .toEqual(["1729262573", "1729262573", "1729261573", "1729262574"]);
  });

  test("gives the event and its signature the same age", async () => {
    const fake = smallPlatform({ now: () => 1_729_262_573_000 });
    const { received, handler } = receiver(await fake.webhookPublicKey());
    await fake.sendWebhookEvent(handler, "APPLICATION_DEAUTHORIZED", { age: 60 });
    expect(received).toMatchObject([{
      timestamp: "1729262513",
      payload: { event: { timestamp: "2024-10-18T14:41:53.000000" } },
    }]);
    expect(Date.parse("2024-10-18T14:41:53Z")).toBe(1_729_262_513_000);
  });

  test("sends the event to an address", async () => {
    const fake = smallPlatform();
    const { received, handler } = receiver(await fake.webhookPublicKey());
    const server = createServer(nodeListener(handler));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    for (const where of [address, new URL(address)]) {
      expect((await fake.sendWebhookEvent(where, "PING")).status).toBe(204);
    }
    expect(received).toMatchObject([{ isSigned: true, url: address }, { isSigned: true }]);
  });

  test.each<[string, unknown, string]>([
    ["an object", {}, "handler must be a fetch handler or a URL, received an object"],
    [
      "a handler without a response",
      () => undefined,
      "the handler must return a Response for /webhook-events, received undefined; is a return missing?",
    ],
  ])("throws a TypeError for %s", async (_what, handler, message) => {
    await expect(smallPlatform().sendWebhookEvent(handler as never, "NEW_EVENT"))
      .rejects.toThrow(new TypeError(message));
  });

  test("checks the handler before the event with `checkFirst`", async () => {
    const fake = smallPlatform();
    const { received, handler } = receiver(await fake.webhookPublicKey());
    await fake.sendWebhookEvent(handler, "NEW_EVENT", { checkFirst: true });
    expect(received.map(({ isSigned, payload }) => [isSigned, Object(payload).type]))
      .toEqual([[false, 0], [true, 0], [true, 1]]);
    const event = { checkFirst: true };
    await expect(fake.sendWebhookEvent(taken, "NEW_EVENT", event))
      .rejects.toThrow("the handler must respond to a wrong signature with 401, received 204");
    const handlerWithPingResponse =
      (init: ResponseInit) => async (request: Request): Promise<Response> =>
        (await handler(request)).status === 401
          ? new Response(null, { status: 401 })
          : new Response(null, init);
    await expect(
      fake.sendWebhookEvent(handlerWithPingResponse({ status: 204 }), "NEW_EVENT", event),
    )
      .rejects.toThrow("a PING with 204 and a Content-Type, received 204 and no Content-Type");
    const headers = { "content-type": "text/plain" };
    await expect(fake.sendWebhookEvent(handlerWithPingResponse({ headers }), "NEW_EVENT", event))
      .rejects.toThrow("a PING with 204 and a Content-Type, received 200 and a Content-Type");
  });

  test("rejects with the error of the handler", async () => {
    const fail = (): never => {
      throw new Error("down");
    };
    await expect(smallPlatform().sendWebhookEvent(fail, "PING")).rejects.toThrow("down");
  });

  test.each<[string, object]>([
    ["as must be the id or the username of a user", { as: "carol" }],
    ["guildId must be the id of a guild", { guildId: "71" }],
    ["clientId must be the id of an application", { clientId: "300" }],
  ])("throws if an option names an unknown object: %s", async (message, event) => {
    await expect(smallPlatform().sendWebhookEvent(taken, "APPLICATION_AUTHORIZED", event))
      .rejects.toThrow(message);
  });
});

describe("FakePlatform.webhookPublicKey()", () => {
  test("returns each application's own key, the same as /oauth2/@me", async () => {
    const fake = smallPlatform();
    const [first, second] = [
      await fake.webhookPublicKey(),
      await fake.webhookPublicKey(PUBLIC_APP.id),
    ];
    expect(first).toMatch(/^[\da-f]{64}$/);
    expect(second).not.toBe(first);
    expect(await fake.webhookPublicKey(APP.id)).toBe(first);
    expect(await readJson(get(fake, "/oauth2/@me", bearerToken(fake, ["identify"]))))
      .toMatchObject({ application: { verify_key: first } });
    await expect(fake.webhookPublicKey("300")).rejects.toThrow(
      "clientId must be the id of an application",
    );
  });

  test("returns the same key in every run", async () => {
    expect(await smallPlatform().webhookPublicKey()).toBe(await smallPlatform().webhookPublicKey());
    // A change of the key would break the configuration of every user of it.
    expect(await smallPlatform().webhookPublicKey()).toBe(
      "d5986259a7a9328673248e7777ed2e954507512de31309a2a0b4b97231069b48",
    );
  });

  test("returns a key that verifies only the events of its application", async () => {
    const fake = smallPlatform();
    const { received, handler } = receiver(await fake.webhookPublicKey(PUBLIC_APP.id));
    await fake.sendWebhookEvent(handler, "PING");
    await fake.sendWebhookEvent(handler, "PING", { clientId: PUBLIC_APP.id });
    expect(received.map(({ isSigned }) => isSigned)).toEqual([false, true]);
    expect(received[1]?.payload).toMatchObject({ application_id: PUBLIC_APP.id });
  });
});

describe("The end of an authorization", () => {
  /** A platform with a handler for its application, and the received events. */
  async function withHandler() {
    const taking: { handler: (request: Request) => Promise<Response> } = {
      handler: () => Promise.reject(new Error("no handler yet")),
    };
    const webhookEvents = (request: Request) => taking.handler(request);
    const fake = smallPlatform({
      applications: [{ ...APP, webhookEvents }, PUBLIC_APP],
    });
    const { received, handler } = receiver(await fake.webhookPublicKey());
    taking.handler = handler;
    return { fake, received, taking };
  }

  const revoke = async (fake: FakePlatform, token: string) =>
    await postForm(fake, "/oauth2/token/revoke", { token }, {
      authorization: basicAuth(APP.id, APP.secret),
    });

  test("sends the application one event about the user after a revocation", async () => {
    const { fake, received } = await withHandler();
    const [first, second] = [fake.issueToken({ as: "bob" }), fake.issueToken({ as: "bob" })];
    expect((await revoke(fake, first.access_token)).status).toBe(200);
    await eventually(() => expect(received).toHaveLength(1));
    expect(received).toMatchObject([{
      isSigned: true,
      payload: {
        application_id: "100",
        event: { type: "APPLICATION_DEAUTHORIZED", data: { user: { id: "2" } } },
      },
    }]);
    await revoke(fake, second.refresh_token ?? "");
    expect(await fake.removeApplication({ as: "bob" })).toBeNull();
    expect(received).toHaveLength(1);
  });

  test("ends every token before the event of removeApplication()", async () => {
    const { fake, received, taking } = await withHandler();
    const { access_token } = fake.issueToken({ as: "ada" });
    const bobs = fake.issueToken({ as: "bob" });
    const { handler } = taking;
    const statusOf = async (token: string) =>
      (await get(fake, "/users/@me", `Bearer ${token}`)).status;
    taking.handler = async (request) => {
      expect(await statusOf(access_token)).toBe(401);
      return await handler(request);
    };
    expect((await fake.removeApplication())?.status).toBe(204);
    expect(received).toMatchObject([{ payload: { event: { data: { user: { id: "1" } } } } }]);
    expect(await statusOf(bobs.access_token)).toBe(200);
    expect(await fake.removeApplication()).toBeNull();
    await expect(fake.removeApplication({ as: "eve" })).rejects.toThrow(/^as must be/);
    await expect(fake.removeApplication({ clientId: "9" })).rejects.toThrow(
      /^clientId must be the id/,
    );
  });

  test("gets a response even if the application's handler fails", async () => {
    const { fake, taking } = await withHandler();
    const failed = vi.fn(() => Promise.reject(new Error("down")));
    taking.handler = failed;
    expect((await revoke(fake, fake.issueToken().access_token)).status).toBe(200);
    await eventually(() => expect(failed).toHaveBeenCalledOnce());
    fake.issueToken();
    await expect(fake.removeApplication()).rejects.toThrow("down");
  });

  test("sends no event without a handler, or for an application's own token", async () => {
    const without = smallPlatform();
    without.issueToken();
    expect(await without.removeApplication()).toBeNull();
    const { fake, received } = await withHandler();
    const response = await requestToken(fake, {
      grant_type: "client_credentials",
      scope: "identify",
    });
    const { access_token } = await readJson(response) as { access_token: string };
    await revoke(fake, access_token);
    expect((await get(fake, "/users/@me", `Bearer ${access_token}`)).status).toBe(401);
    expect(received).toEqual([]);
  });

  test("is sent only to a function or an http address", () => {
    for (
      const webhookEvents of ["/events", "localhost:3000/events", "", 5, {}, "ftp://x.example"]
    ) {
      const applications = [{ ...APP, webhookEvents: webhookEvents as string }];
      expect(() => smallPlatform({ applications }))
        .toThrow(
          /^applications\[0\]\.webhookEvents must be a function or an http address, received /,
        );
    }
    for (const webhookEvents of ["https://app.example/events", new URL("http://x/"), taken]) {
      smallPlatform({ applications: [{ ...APP, webhookEvents }] });
    }
  });
});
