/**
 * Reads the events that Discord sends to an application's webhook events URL.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { freeze } from "../core/freeze.ts";
import { type EntitlementObj, entitlementSchema } from "./entitlement.ts";
import { type GuildObj, guildSchema } from "./guild.ts";
import { type CreateSchema, parsePayload, type Report } from "./reading.ts";
import { looseObject, number, orNull, record, type Schema, snowflake } from "./schemas.ts";
import { type UserObj, userSchema } from "./user.ts";

/** The fields of every event. */
export interface AnyWebhookEvent {
  /** The version of the event's format: 1. */
  readonly version: number | null;
  /** The id of the application, a snowflake. */
  readonly application_id: string | null;
  /** The time of the event, as an ISO 8601 time in UTC without a time zone: `2024-10-18T14:42:53.064834`. */
  readonly timestamp: string | null;
  /** The time of the event, in milliseconds since the epoch; `null` if the time is missing or can't be read. */
  readonly occurred_at: number | null;
}

/** Discord checks the webhook events URL. */
export interface PingEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "PING";
}

/** A user has authorized the application, for their account or for a guild. */
export interface ApplicationAuthorizedEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "APPLICATION_AUTHORIZED";
  /** The user who authorized the application, and the details of the authorization. */
  readonly data: ApplicationAuthorizedObj;
}

/**
 * A user has removed the application, or a token was revoked. All of the user's tokens have ended: delete them. The event may
 * arrive after a later login: compare `occurred_at`.
 */
export interface ApplicationDeauthorizedEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "APPLICATION_DEAUTHORIZED";
  /** The user. */
  readonly data: ApplicationDeauthorizedObj;
}

/** A user's or guild's access to an item in the application's store was created, changed or deleted. */
export interface EntitlementEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "ENTITLEMENT_CREATE" | "ENTITLEMENT_UPDATE" | "ENTITLEMENT_DELETE";
  /** The entitlement. */
  readonly data: EntitlementObj;
}

/** A message was sent, changed or deleted in a lobby of the Social SDK. */
export interface LobbyMessageEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "LOBBY_MESSAGE_CREATE" | "LOBBY_MESSAGE_UPDATE" | "LOBBY_MESSAGE_DELETE";
  /** The message. If it was deleted, only `id` and `lobby_id` are there. */
  readonly data: SdkMessageObj;
}

/** A direct message was sent, changed or deleted while at least one of the two people was in a game with the Social SDK. */
export interface GameDirectMessageEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type:
    | "GAME_DIRECT_MESSAGE_CREATE"
    | "GAME_DIRECT_MESSAGE_UPDATE"
    | "GAME_DIRECT_MESSAGE_DELETE";
  /** The message. Discord documents more fields than its examples have. */
  readonly data: SdkMessageObj;
}

/** A user takes part in a Quest. Discord does not send this event yet, and does not document its data. */
export interface QuestUserEnrollmentEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "QUEST_USER_ENROLLMENT";
  /** The data, unchanged; `null` without data. */
  readonly data: unknown;
}

/**
 * Any event that Discord does not document. The data is not checked. {@link UnknownWebhookEvent.event_type} has Discord's
 * name of the event.
 */
export interface UnknownWebhookEvent extends AnyWebhookEvent {
  /** A fixed value, so that a `switch` over `type` narrows the type of the other events. */
  readonly type: "UNKNOWN";
  /** Discord's type of the event. */
  readonly event_type: string;
  /** The data, unchanged; `null` without data. */
  readonly data: unknown;
}

/**
 * An event of Discord. A `switch` over `type` narrows its `data`.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#event-types | Discord: Event types}
 */
export type WebhookEvent =
  | PingEvent
  | ApplicationAuthorizedEvent
  | ApplicationDeauthorizedEvent
  | EntitlementEvent
  | LobbyMessageEvent
  | GameDirectMessageEvent
  | QuestUserEnrollmentEvent
  | UnknownWebhookEvent;

/**
 * The user who has authorized the application, and the authorization. A field that is missing or can't be read is `null`; only
 * `user` is always there.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#application-authorized | Discord: Application Authorized}
 */
export interface ApplicationAuthorizedObj {
  /** The kind of installation: 0 for a guild, 1 for the user's account. */
  readonly integration_type: number | null;
  /** The user who authorized the application. */
  readonly user: UserObj;
  /** The granted scopes. */
  readonly scopes: readonly string[] | null;
  /** The guild of the installation; `null` for an installation to a user's account. */
  readonly guild: GuildObj | null;
}

/**
 * The user whose access ended.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#application-deauthorized | Discord: Application Deauthorized}
 */
export interface ApplicationDeauthorizedObj {
  /** The user whose access ended. */
  readonly user: UserObj;
}

/**
 * A message in a lobby, or a direct message, of the Social SDK. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#social-sdk-message-objects | Discord: Social SDK message objects}
 */
export interface SdkMessageObj {
  /** The message's id, a snowflake. */
  readonly id: string | null;
  /** The type of the message. */
  readonly type: number | null;
  /** The text. */
  readonly content: string | null;
  /** The id of the lobby, a snowflake. */
  readonly lobby_id: string | null;
  /** The id of the channel, a snowflake. */
  readonly channel_id: string | null;
  /** The user who wrote the message. */
  readonly author: UserObj | null;
  /** The id of the user who receives a direct message, a snowflake. */
  readonly recipient_id: string | null;
  /** The metadata that the application gave the message. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The metadata that the application's moderation gave the message. */
  readonly moderation_metadata: Readonly<Record<string, string>> | null;
  /** The author as a member of the lobby. */
  readonly lobby_member: { readonly additional_name: string | null } | null;
  /** The channel of a direct message. */
  readonly channel: { readonly id: string | null } | null;
  /** The activity that a direct message invites to. */
  readonly activity: { readonly type: number | null; readonly party_id: string | null } | null;
  /** The application of the activity. */
  readonly application: { readonly id: string | null; readonly name: string | null } | null;
  /** The flags of the message. */
  readonly flags: number | null;
  /** The id of the application that sent the message, a snowflake. */
  readonly application_id: string | null;
  /** The time of the message, in ISO 8601. */
  readonly timestamp: string | null;
  /** The time of the latest change, in ISO 8601. */
  readonly edited_timestamp: string | null;
}

/** Creates the schema of a message of the Social SDK. @internal */
export function sdkMessageSchema(cdnUrl: string): Schema<SdkMessageObj> {
  return looseObject({
    id: orNull(snowflake()),
    type: orNull(number()),
    content: orNull(v.string()),
    lobby_id: orNull(snowflake()),
    channel_id: orNull(snowflake()),
    author: orNull(userSchema(cdnUrl)),
    recipient_id: orNull(snowflake()),
    metadata: orNull(record(v.string())),
    moderation_metadata: orNull(record(v.string())),
    lobby_member: orNull(looseObject({ additional_name: orNull(v.string()) })),
    channel: orNull(looseObject({ id: orNull(snowflake()) })),
    activity: orNull(looseObject({ type: orNull(number()), party_id: orNull(v.string()) })),
    application: orNull(looseObject({ id: orNull(snowflake()), name: orNull(v.string()) })),
    flags: orNull(number()),
    application_id: orNull(snowflake()),
    timestamp: orNull(v.string()),
    edited_timestamp: orNull(v.string()),
  });
}

/** Creates the schema of the data of `APPLICATION_AUTHORIZED`. @internal */
export function applicationAuthorizedSchema(cdnUrl: string): Schema<ApplicationAuthorizedObj> {
  return looseObject({
    user: userSchema(cdnUrl),
    integration_type: orNull(number()),
    scopes: orNull(v.array(v.string())),
    guild: orNull(guildSchema(cdnUrl)),
  });
}

/** Creates the schema of the data of `APPLICATION_DEAUTHORIZED`. @internal */
export function applicationDeauthorizedSchema(cdnUrl: string): Schema<ApplicationDeauthorizedObj> {
  return looseObject({ user: userSchema(cdnUrl) });
}

function envelopeSchema() {
  return looseObject({
    type: number(),
    version: orNull(number()),
    application_id: orNull(snowflake()),
    event: v.optional(v.unknown()),
  }, "The webhook event");
}

function bodySchema() {
  return looseObject(
    { type: v.string(), timestamp: orNull(v.string()), data: orNull(v.unknown()) },
    "The event in the webhook event",
  );
}

/** The `type` of a `PING`, which has no event. */
const pingType = 0;

/**
 * Reads an event that came to a webhook events URL.
 *
 * @throws {PayloadError} If the type of the event or the user in it is missing or can't be read.
 */
export function toWebhookEvent(payload: unknown, cdnUrl: string, report: Report): WebhookEvent {
  const { event, ...outer } = parsePayload(envelopeSchema, payload, report);
  if (outer.type === pingType) {
    return freeze({ ...outer, type: "PING", timestamp: null, occurred_at: null });
  }
  const { data, ...inner } = parsePayload(bodySchema, event, reportBelow("event", report));
  const { type, timestamp } = inner;
  const reportData = reportBelow("event.data", report);
  const read = <Data extends object>(createSchema: CreateSchema<Data>): Data =>
    parsePayload(createSchema, data, reportData, cdnUrl, `The data of ${type}`);
  const occurred_at = parseTime(timestamp);
  if (timestamp !== null && occurred_at === null) {
    report([{ path: "event.timestamp", message: "expected an ISO 8601 time" }]);
  }
  const common = { ...outer, ...inner, occurred_at };
  switch (type) {
    case "APPLICATION_AUTHORIZED":
      return freeze({ ...common, type, data: read(applicationAuthorizedSchema) });
    case "APPLICATION_DEAUTHORIZED":
      return freeze({ ...common, type, data: read(applicationDeauthorizedSchema) });
    case "ENTITLEMENT_CREATE":
    case "ENTITLEMENT_UPDATE":
    case "ENTITLEMENT_DELETE":
      return freeze({ ...common, type, data: read(entitlementSchema) });
    case "LOBBY_MESSAGE_CREATE":
    case "LOBBY_MESSAGE_UPDATE":
    case "LOBBY_MESSAGE_DELETE":
    case "GAME_DIRECT_MESSAGE_CREATE":
    case "GAME_DIRECT_MESSAGE_UPDATE":
    case "GAME_DIRECT_MESSAGE_DELETE":
      return freeze({ ...common, type, data: read(sdkMessageSchema) });
    case "QUEST_USER_ENROLLMENT":
      return freeze({ ...common, type, data });
    default:
      return freeze({ ...common, type: "UNKNOWN", event_type: type, data });
  }
}

/**
 * Parses an ISO 8601 time, to the millisecond. A time without a time zone is in UTC, although `Date.parse` reads it as local
 * time. Returns `null` for any other text.
 */
function parseTime(text: string | null): number | null {
  const match = isoTime.exec(text ?? "");
  if (!match) return null;
  const [, time, fraction = "", zone = "Z"] = match;
  // All runtimes parse exactly three digits.
  const parsed = Date.parse(`${time}.${fraction.slice(0, 3).padEnd(3, "0")}${zone}`);
  return Number.isNaN(parsed) ? null : parsed;
}

const isoTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/;

/** Reports the issues of a part with the path of the part. */
function reportBelow(part: string, report: Report): Report {
  return (issues) =>
    report(issues.map(({ path, message }) => ({ path: `${part}.${path}`, message })));
}
