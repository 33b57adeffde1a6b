/**
 * Sends webhook events to an application, signed with Ed25519 as on the platform.
 *
 * @module
 */

import { responseOf } from "./person/handler.ts";
import type { Application, FakeWebhookHandler } from "./world/application.ts";
import { findApplication, findGuild, findUser } from "./world/find.ts";
import { guildObject } from "./world/guild.ts";
import { publicUser } from "./world/payloads/user.ts";
import { revokeAuthorization } from "./world/tokens.ts";
import * as f from "./world/schema.ts";
import { type Check, type Fields, throwUnless } from "./world/schema.ts";
import type { User } from "./world/user.ts";
import type { EventKey, World } from "./world/world.ts";

/** The content of an event, and how it is sent, for {@link FakePlatform.sendWebhookEvent}. */
export interface FakeWebhookEvent {
  /**
   * The id or the username of the event's user.
   * @default the first user
   */
  readonly as?: string | undefined;
  /**
   * The authorized scopes.
   * @default ["identify"]
   */
  readonly scopes?: readonly string[] | undefined;
  /** The guild of the installation. Without `guildId`, the application is installed to the user's account. */
  readonly guildId?: string | undefined;
  /**
   * The `data` of the event, instead of the data from `as`, `scopes` and `guildId`.
   * @default the user and the authorization for `APPLICATION_AUTHORIZED` and `APPLICATION_DEAUTHORIZED`, otherwise none
   */
  readonly data?: unknown;
  /**
   * The id of the receiving application.
   * @default the first application
   */
  readonly clientId?: string | undefined;
  /**
   * The kind of signature. The platform sometimes sends a wrong signature as a test: the handler must respond with 401.
   * @default "right"
   */
  readonly signature?: "right" | "wrong" | "missing" | undefined;
  /**
   * The age of the event and of its signature, in seconds.
   * @default 0
   */
  readonly age?: number | undefined;
  /**
   * True to check the handler first, as the platform does before it saves the URL: the handler must respond to a wrong signature
   * with 401, and to a `PING` with 204 and a `Content-Type`.
   * @default false
   */
  readonly checkFirst?: boolean | undefined;
}

export function webhookEventFields(): Fields<FakeWebhookEvent> {
  return {
    as: f.optional(f.string),
    scopes: f.optional(f.listOf(f.string)),
    guildId: f.optional(f.string),
    data: f.optional(f.anyValue),
    clientId: f.optional(f.string),
    signature: f.optional(signatureKind),
    age: f.optional(numberOfSeconds),
    checkFirst: f.optional(f.boolean),
  };
}

const signatureKind: Check = (value, where) => {
  const holds = value === "right" || value === "wrong" || value === "missing";
  throwUnless(holds, '"right", "wrong" or "missing"', value, where);
};

const numberOfSeconds: Check = (value, where) => {
  throwUnless(Number.isFinite(value), "a number of seconds", value, where);
};

/** Sends an event to a handler, and returns the handler's response. */
export async function sendWebhookEvent(
  world: World,
  handler: FakeWebhookHandler,
  type: string,
  event: FakeWebhookEvent,
): Promise<Response> {
  const application = findApplication(world, event.clientId);
  const payload = type === "PING" ? pingPayload(application) : {
    version: 1,
    application_id: application.id,
    type: 1,
    event: {
      type,
      // In UTC, but without a time zone, as on the platform.
      timestamp: new Date(world.now() - (event.age ?? 0) * 1000).toISOString().replace("Z", "000"),
      ...eventData(world, type, event),
    },
  };
  if (event.checkFirst) await checkHandler(world, handler, application);
  return await deliver(world, handler, application, payload, event);
}

/**
 * Revokes a user's authorization of an application, and sends the event.
 *
 * @returns The response to the event; `null` if no event was sent.
 */
export async function endAuthorization(
  world: World,
  application: Application,
  user: User,
): Promise<Response | null> {
  const hasEnded = revokeAuthorization(world, { application, user });
  const { id: clientId, webhookEvents } = application;
  if (!hasEnded || webhookEvents === null) return null;
  const event = { clientId, as: user.payload.id };
  return await sendWebhookEvent(world, webhookEvents, "APPLICATION_DEAUTHORIZED", event);
}

/** Returns the key that signs an application's events. */
export function eventKey(world: World, { id }: Application): Promise<EventKey> {
  const known = world.eventKeys.get(id);
  if (known !== undefined) return known;
  const key = createEventKey(id);
  world.eventKeys.set(id, key);
  return key;
}

function pingPayload(application: Application): Record<string, unknown> {
  return { version: 1, application_id: application.id, type: 0 };
}

/** Builds the `data` of an event. An unknown type has only the given `data`. */
function eventData(world: World, type: string, event: FakeWebhookEvent): { data?: unknown } {
  if (event.data !== undefined) return { data: event.data };
  const { as, guildId, scopes = ["identify"] } = event;
  if (type !== "APPLICATION_AUTHORIZED" && type !== "APPLICATION_DEAUTHORIZED") return {};
  const user = publicUser(findUser(world, as).payload);
  if (type === "APPLICATION_DEAUTHORIZED") return { data: { user } };
  if (guildId === undefined) return { data: { integration_type: 1, user, scopes } };
  const guild = guildObject(findGuild(world, guildId), 10, false);
  return { data: { integration_type: 0, user, scopes, guild } };
}

/**
 * Checks a handler as the platform does before it saves the URL.
 *
 * @throws {Error} If the handler accepts a wrong signature or refuses a `PING`.
 */
async function checkHandler(
  world: World,
  handler: FakeWebhookHandler,
  application: Application,
): Promise<void> {
  const ping = pingPayload(application);
  const forged = await deliver(world, handler, application, ping, { signature: "wrong" });
  if (forged.status !== 401) {
    throw new Error(
      `the handler must respond to a wrong signature with 401, received ${forged.status}`,
    );
  }
  const { status, headers } = await deliver(world, handler, application, ping, {});
  const hasType = headers.has("content-type");
  if (status !== 204 || !hasType) {
    throw new Error(
      `the handler must respond to a PING with 204 and a Content-Type, received ${status} and ${
        hasType ? "a" : "no"
      } Content-Type`,
    );
  }
}

async function deliver(
  world: World,
  handler: FakeWebhookHandler,
  application: Application,
  payload: unknown,
  { signature = "right", age = 0 }: FakeWebhookEvent,
): Promise<Response> {
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(world.now() / 1000) - age);
  const { key } = await eventKey(world, application);
  const signed = new TextEncoder().encode(timestamp + body);
  const bytes = new Uint8Array(await crypto.subtle.sign("Ed25519", key, signed));
  if (signature === "wrong") bytes.reverse();
  if (typeof handler !== "function" && !URL.canParse(handler)) {
    f.throwWrongType("a fetch handler or a URL", handler, "handler");
  }
  const address = typeof handler === "function" ? "https://app.example/webhook-events" : handler;
  const request = new Request(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(signature === "missing" ? {} : { "x-signature-ed25519": toHex(bytes) }),
      "x-signature-timestamp": timestamp,
    },
    body,
  });
  return typeof handler === "function" ? await responseOf(handler, request) : await fetch(request);
}

/** Derives the key pair from the application's id. The keys are the same in every run, and are not secret. */
async function createEventKey(id: string): Promise<EventKey> {
  const text = new TextEncoder().encode(`The webhook events of the fake platform for ${id}`);
  const seed = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  const pkcs8 = Uint8Array.of(...pkcs8Start, ...seed);
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { x = "" } = await crypto.subtle.exportKey("jwk", key);
  const raw = atob(x.replaceAll("-", "+").replaceAll("_", "/"));
  return { key, publicKey: toHex(Uint8Array.from(raw, (byte) => byte.charCodeAt(0))) };
}

/** The bytes before the seed of an Ed25519 key in PKCS #8 (RFC 8410 section 7). */
const pkcs8Start = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
