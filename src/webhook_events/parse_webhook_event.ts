/**
 * Verifies and reads an event that Discord has sent.
 *
 * @module
 */

import { throwBadArgument, throwBadNumber } from "../core/arguments.ts";
import { PayloadError } from "../core/response_errors.ts";
import {
  checkedUrl,
  discord,
  type Platform,
  readPlatform,
  withoutTrailingSlashes,
} from "../links/platform.ts";
import { cancel, parseJson, readBytes } from "../http/body_limit.ts";
import {
  checkClientOptionNames,
  type ClientOptions,
  createReport,
  type NamesOf,
} from "../http/options.ts";
import { toWebhookEvent, type WebhookEvent } from "../resources/webhook_event.ts";
import { signatureError } from "./signature_error.ts";

/** Options of {@link parseWebhookEvent}. A `null` option means its default. */
export interface ParseWebhookEventOptions {
  /**
   * The maximum age of a signature, in seconds. A timestamp in the future may be this far ahead.
   *
   * Without a response, Discord repeats an event for ten minutes, perhaps with the old signature. The default leaves five
   * minutes for clock differences.
   *
   * @default {900}
   */
  readonly tolerance?: number | null | undefined;
  /**
   * The platform, whose `cdnUrl` is the base of image URLs, or its JSON as a string. An empty string means the default.
   *
   * @default {discord}
   */
  readonly platform?: Pick<Platform, "cdnUrl"> | string | null | undefined;
  /**
   * Receives the issues of a repaired event that differed from the documentation, like the option of the clients. The second argument
   * names the request with the event.
   *
   * @default {nothing is reported}
   */
  readonly onUnexpected?: ClientOptions["onUnexpected"];
}

/** The maximum length of an event, in bytes. Events have a few thousand bytes. */
const maxBytes = 1024 * 1024;

/** The options that a client does not have. */
const ownOptions: NamesOf<ParseWebhookEventOptions, ClientOptions> = { tolerance: true };

/** The default of {@link ParseWebhookEventOptions.tolerance}, in seconds. */
const defaultTolerance = 900;

/**
 * Verifies the Ed25519 signature of a request to the application's webhook events URL, and reads the event. The signature covers
 * the timestamp and the bytes of the body.
 *
 * Respond to an event with 204 and a `Content-Type` within 3 seconds, also to a `PING`, and to a `WebhookSignatureError` with
 * 401. Discord tests the application with wrong signatures, and stops its events if the application accepts one. An event may
 * arrive twice, late, or before an earlier event, so make the handler idempotent.
 *
 * Express needs `express.raw({ type: "application/json" })` first, since the signature covers the unparsed bytes:
 * `new Request("https://app.example/events", { method: "POST", headers: request.headers, body: request.body })`.
 *
 * @example
 * ```ts
 * import { MemoryStore } from "@guildpass/sdk";
 * import {
 *   parseWebhookEvent,
 *   WebhookSignatureError,
 * } from "@guildpass/sdk/webhook-events";
 * import { createFakePlatform } from "@guildpass/sdk/testing";
 *
 * const fake = createFakePlatform();
 * // Yours is in the Developer Portal, under "General Information".
 * const publicKey = await fake.webhookPublicKey();
 * const store = new MemoryStore();
 *
 * async function receiveEvent(request: Request): Promise<Response> {
 *   try {
 *     const event = await parseWebhookEvent(request, publicKey);
 *     // The user has removed the access: delete the tokens.
 *     if (event.type === "APPLICATION_DEAUTHORIZED") {
 *       await store.delete(event.data.user.id);
 *     }
 *   } catch (error) {
 *     if (error instanceof WebhookSignatureError) {
 *       return new Response(null, { status: 401 });
 *     }
 *     throw error;
 *   }
 *   return new Response(null, {
 *     status: 204,
 *     headers: { "content-type": "application/json" },
 *   });
 * }
 *
 * const ada = "1000000000000000001";
 * await store.save(ada, "her token", { version: null });
 * const response = await fake.sendWebhookEvent(
 *   receiveEvent,
 *   "APPLICATION_DEAUTHORIZED",
 *   { as: ada },
 * );
 * response.status; // 204
 * await store.load(ada); // null
 * ```
 *
 * @param request The request with an unread body.
 * @param publicKey The application's public key, 64 hexadecimal digits: Developer Portal, General Information.
 * @param options The `tolerance` in seconds, by default 900, and the platform.
 * @throws {WebhookSignatureError} If the signature is missing, wrong or too old, or the body is too long or incomplete.
 * @throws {PayloadError} If the signature is right, but the event can't be read.
 * @throws {TypeError} If an argument is wrong.
 * @see {@link https://docs.discord.com/developers/events/webhook-events | Discord: Webhook events}
 */
export async function parseWebhookEvent(
  request: Request,
  publicKey: string,
  options?: ParseWebhookEventOptions | null,
): Promise<WebhookEvent> {
  checkUnreadRequest(request);
  checkClientOptionNames(options, ownOptions);
  const key = await importKey(publicKey);
  const tolerance = options?.tolerance ?? defaultTolerance;
  if (!(Number.isFinite(tolerance) && tolerance >= 0)) {
    throwBadNumber("tolerance", "a number of seconds", tolerance);
  }
  const cdnUrl = checkedUrl("platform.cdnUrl", (readPlatform(options?.platform) ?? discord).cdnUrl);

  const signature = parseHex(request.headers.get("x-signature-ed25519"), 64);
  const timestamp = request.headers.get("x-signature-timestamp") ?? "";
  if (!signature || !/^\d{1,15}$/.test(timestamp)) throw signatureError("missing");
  const body = await readBody(request);
  const signed = concatenate(new TextEncoder().encode(timestamp), body);
  const isRight = await crypto.subtle.verify(algorithm, key, signature, signed);
  if (!isRight) throw signatureError("wrong");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) throw signatureError("stale");

  const payload = parseJson(new TextDecoder().decode(body));
  if (payload === undefined) {
    throw new PayloadError("The webhook event can't be read", {
      issues: [{ path: "", message: "expected JSON, received something else" }],
    });
  }
  const { pathname: path } = new URL(request.url);
  const report = createReport(options?.onUnexpected, { method: "POST", path });
  return toWebhookEvent(payload, withoutTrailingSlashes(cdnUrl), report);
}

const algorithm = "Ed25519";

/** Checks that the body of a request can still be read. */
function checkUnreadRequest(request: Request): void {
  // Not by `instanceof`, since a framework may have a Request of its own.
  const isRequest = typeof request?.headers?.get === "function" && URL.canParse(request.url);
  if (!isRequest || request.bodyUsed || request.body?.locked) {
    const expected = "a Request with an unread body, since the signature covers its bytes";
    throwBadArgument("request", expected, request);
  }
}

async function importKey(publicKey: string): Promise<CryptoKey> {
  const bytes = parseHex(publicKey, 32);
  if (!bytes) throwBadArgument("publicKey", "64 hexadecimal digits", publicKey);
  return await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
}

/** Parses bytes in hexadecimal. Returns `null` for any other value or length. */
function parseHex(text: unknown, length: number): Uint8Array<ArrayBuffer> | null {
  if (typeof text !== "string" || text.length !== 2 * length || !/^[\da-f]+$/i.test(text)) {
    return null;
  }
  return Uint8Array.from({ length }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

async function readBody({ body }: Request): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const bytes = await readBytes(reader, maxBytes, new AbortController().signal).catch(() => {
    throw signatureError("incomplete");
  });
  if (bytes !== null) return bytes;
  cancel(reader);
  throw signatureError("too_large");
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
