/**
 * The events that the platform sends to an application's webhook events URL.
 *
 * @module
 */

import { guild, type GuildObj, type SentGuild, wholeGuild } from "./guild.ts";
import { freeze, readAnswer, type Report } from "./reading.ts";
import {
  list,
  number,
  object,
  optional,
  required,
  type Shape,
  snowflake,
  string,
} from "./shapes.ts";
import { type SentUser, user, type UserObj, withAvatarUrl } from "./user.ts";

/** What every event has. */
export interface AnyWebhookEvent {
  /** Version of the form that the event came in: 1. */
  readonly version: number | null;
  /** Id of the application, a snowflake. */
  readonly application_id: string | null;
  /** When it happened, in ISO 8601 and UTC, which the platform does not add: `2024-10-18T14:42:53.064834`. */
  readonly timestamp: string | null;
}

/** The platform asks whether the URL works. Nothing has happened. */
export interface PingEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "PING";
}

/** Somebody has authorized the application, for their account or for a guild. */
export interface ApplicationAuthorizedEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "APPLICATION_AUTHORIZED";
  /** Who did, and to what. */
  readonly data: ApplicationAuthorizedObj;
}

/**
 * Somebody has taken all access away from the application, or a token was revoked: all tokens that it has of that person have
 * ended, and are to be deleted. The event may come late: a login may have followed.
 */
export interface ApplicationDeauthorizedEvent extends AnyWebhookEvent {
  /** The kind of event. */
  readonly type: "APPLICATION_DEAUTHORIZED";
  /** Whose access ended. */
  readonly data: ApplicationDeauthorizedObj;
}

/**
 * Any other event, for example about an entitlement or a lobby. Its data is not checked. {@link UnknownWebhookEvent.event_type} has
 * the platform's name for it.
 */
export interface UnknownWebhookEvent extends AnyWebhookEvent {
  /** A fixed word, so that a `switch` over `type` tells the compiler what each of the other events holds. */
  readonly type: "UNKNOWN";
  /** The type of the event at the platform, for example `ENTITLEMENT_CREATE`. */
  readonly event_type: string;
  /** The data as the platform sent it; `null` if there is none. */
  readonly data: unknown;
}

/**
 * An event that the platform has sent: a `switch` over its `type` knows what each holds.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#event-types | Event types in the platform's documentation}
 */
export type WebhookEvent =
  | PingEvent
  | ApplicationAuthorizedEvent
  | ApplicationDeauthorizedEvent
  | UnknownWebhookEvent;

/**
 * Who has authorized the application, and to what. A field is `null` when the platform did not send it or sent something that
 * can't be read; only `user` is always there.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#application-authorized | Application Authorized in the platform's documentation}
 */
export interface ApplicationAuthorizedObj {
  /** What it was authorized for: 0 a guild, 1 the user's account. */
  readonly integration_type: number | null;
  /** Who did. */
  readonly user: UserObj;
  /** The scopes. */
  readonly scopes: readonly string[] | null;
  /** The guild, where it was for one. */
  readonly guild: GuildObj | null;
}

/**
 * Whose access ended.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#application-deauthorized | Application Deauthorized in the platform's documentation}
 */
export interface ApplicationDeauthorizedObj {
  /** Whose. */
  readonly user: UserObj;
}

/** The shape of the data of `APPLICATION_AUTHORIZED`. @internal */
export const applicationAuthorized = object<
  Omit<ApplicationAuthorizedObj, "user" | "guild"> & {
    readonly user: SentUser;
    readonly guild: SentGuild | null;
  }
>({
  integration_type: optional(number),
  user: required(user),
  scopes: optional(list(string)),
  guild: optional(guild),
});

/** The shape of the data of `APPLICATION_DEAUTHORIZED`. @internal */
export const applicationDeauthorized = object<{ readonly user: SentUser }>({
  user: required(user),
});

const envelope = object<{
  readonly version: number | null;
  readonly application_id: string | null;
  readonly type: number;
}>({
  version: optional(number),
  application_id: optional(snowflake),
  type: required(number),
});

const body = object<{ readonly type: string; readonly timestamp: string | null }>({
  type: required(string),
  timestamp: optional(string),
});

/** The type of an envelope around nothing. */
const pingType = 0;

/**
 * Reads what the platform has sent to a webhook events URL.
 *
 * @throws {PayloadError} When the kind of event, or what the event is about, is missing or can't be read.
 */
export function toWebhookEvent(payload: unknown, cdnUrl: string, report: Report): WebhookEvent {
  const outer = readAnswer("The webhook event", envelope, payload, report);
  const { event, ...sent } = outer as typeof outer & { readonly event?: unknown };
  if (sent.type === pingType) return freeze({ ...sent, type: "PING", timestamp: null });
  const inner = readAnswer("The event in the webhook event", body, event, within("event", report));
  const { type, data = null } = inner as typeof inner & { readonly data?: unknown };
  const read = <Data>(shape: Shape<Data>): Data =>
    readAnswer(`The data of ${type}`, shape, data, within("event.data", report));
  const common = { ...sent, ...inner };
  switch (type) {
    case "APPLICATION_AUTHORIZED": {
      const { user, guild, ...rest } = read(applicationAuthorized);
      const whole = {
        ...rest,
        user: withAvatarUrl(user, cdnUrl),
        guild: guild && wholeGuild(guild, cdnUrl),
      };
      return freeze({ ...common, type, data: whole });
    }
    case "APPLICATION_DEAUTHORIZED": {
      const { user, ...rest } = read(applicationDeauthorized);
      return freeze({ ...common, type, data: { ...rest, user: withAvatarUrl(user, cdnUrl) } });
    }
    default:
      return freeze({ ...common, type: "UNKNOWN", event_type: type, data });
  }
}

/** Reports with the place of a part within the whole. */
function within(part: string, report: Report): Report {
  return (issues) =>
    report(issues.map(({ path, message }) => ({ path: `${part}.${path}`, message })));
}
