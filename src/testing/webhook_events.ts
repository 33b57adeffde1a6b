/**
 * The events that the platform sends to an application, signed with Ed25519.
 *
 * @module
 */

import { findApplication, findUser } from "./person/decisions.ts";
import type { Application, FakeWebhookHandler } from "./world/application.ts";
import type { Guild } from "./world/guild.ts";
import { wholeGuild } from "./world/guild.ts";
import { userForOthers } from "./world/payloads/user.ts";
import { revokeAuthorization } from "./world/tokens.ts";
import type { User } from "./world/user.ts";
import type { EventKey, World } from "./world/world.ts";

/** What the events for an application are signed with, and how it checks them. */
export function eventKeyOf(world: World, { id }: Application): Promise<EventKey> {
  const known = world.eventKeys.get(id);
  if (known !== undefined) return known;
  const key = createKey();
  world.eventKeys.set(id, key);
  return key;
}

/** Sends an event to a handler, and gives its answer. */
export async function sendWebhookEvent(
  world: World,
  handler: FakeWebhookHandler,
  type: string,
  event: FakeWebhookEvent,
): Promise<Response> {
  const application = findApplication(world, event.clientId);
  const payload = type === "PING" ? { version: 1, application_id: application.id, type: 0 } : {
    version: 1,
    application_id: application.id,
    type: 1,
    event: {
      type,
      // In UTC, without saying so.
      timestamp: new Date(world.now()).toISOString().replace("Z", "000"),
      ...dataOf(world, type, event),
    },
  };
  if (event.checkFirst) await check(world, handler, application);
  return await deliver(world, handler, application, payload, event);
}

/**
 * Takes an authorization back, and sends the event about it.
 *
 * @returns The answer to the event; `null` when none was sent.
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

/** What an event holds. */
function dataOf(world: World, type: string, event: FakeWebhookEvent): { data?: unknown } {
  if (event.data !== undefined) return { data: event.data };
  const { as, guildId, scopes = ["identify"] } = event;
  if (type !== "APPLICATION_AUTHORIZED" && type !== "APPLICATION_DEAUTHORIZED") return {};
  const user = userForOthers(findUser(world, as).payload);
  if (type === "APPLICATION_DEAUTHORIZED") return { data: { user } };
  if (guildId === undefined) return { data: { integration_type: 1, user, scopes } };
  const guild = wholeGuild(findGuild(world, guildId), 10, false);
  return { data: { integration_type: 0, user, scopes, guild } };
}

function findGuild(world: World, guildId: string): Guild {
  const guild = world.guilds.get(guildId);
  if (guild !== undefined) return guild;
  throw new TypeError(
    `guildId must be the id of a guild of the platform: found ${JSON.stringify(guildId)}`,
  );
}

/**
 * Does what the platform does before it takes an address.
 *
 * @throws {Error} When the handler takes a wrong signature, or does not answer a `PING`.
 */
async function check(
  world: World,
  handler: FakeWebhookHandler,
  application: Application,
): Promise<void> {
  const ping = { version: 1, application_id: application.id, type: 0 };
  const refused = await deliver(world, handler, application, ping, { signature: "wrong" });
  if (refused.status !== 401) {
    throw new Error(`the handler must answer a wrong signature with 401: found ${refused.status}`);
  }
  const taken = await deliver(world, handler, application, ping, {});
  if (taken.status !== 204 || !taken.headers.has("content-type")) {
    const type = taken.headers.has("content-type") ? "a" : "no";
    throw new Error(
      `the handler must answer a PING with 204 and a Content-Type: found ${taken.status} and ${type} Content-Type`,
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
  const { key } = await eventKeyOf(world, application);
  const signed = new TextEncoder().encode(timestamp + body);
  const bytes = new Uint8Array(await crypto.subtle.sign("Ed25519", key, signed));
  if (signature === "wrong") bytes.reverse();
  const address = typeof handler === "function" ? "https://app.example/webhook-events" : handler;
  const request = new Request(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(signature === "missing" ? {} : { "x-signature-ed25519": hex(bytes) }),
      "x-signature-timestamp": timestamp,
    },
    body,
  });
  return typeof handler === "function" ? await handler(request) : await fetch(request);
}

async function createKey(): Promise<EventKey> {
  const pair = await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  const raw = await crypto.subtle.exportKey("raw", pair.publicKey);
  return { key: pair.privateKey, publicKey: hex(new Uint8Array(raw)) };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What is in an event of {@link FakePlatform.sendWebhookEvent}, and how it is sent. Everything has a default. */
export interface FakeWebhookEvent {
  /**
   * The id or the username of whom the event is about.
   * @default the first user
   */
  readonly as?: string;
  /**
   * The scopes that were authorized.
   * @default ["identify"]
   */
  readonly scopes?: readonly string[];
  /** The guild that the application was authorized for. Without it, it was authorized for the user's account. */
  readonly guildId?: string;
  /**
   * What the event holds, in the place of what the options above make.
   * @default the user, and what was authorized, for the events about that; else nothing
   */
  readonly data?: unknown;
  /**
   * The application that receives it.
   * @default the first application
   */
  readonly clientId?: string;
  /**
   * Whether the signature is right. The platform sends wrong ones now and then, which must be answered with 401.
   * @default "right"
   */
  readonly signature?: "right" | "wrong" | "missing";
  /**
   * How many seconds ago it was signed.
   * @default 0
   */
  readonly age?: number;
  /**
   * Whether to check the handler first, as the platform does when its address is saved: it must answer a wrong signature with
   * 401, and a `PING` with 204 and a `Content-Type`.
   * @default false
   */
  readonly checkFirst?: boolean;
}
