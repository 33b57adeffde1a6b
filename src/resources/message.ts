/**
 * Messages, as far as webhook events bring them: of a lobby, and direct ones of a game.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import {
  isObject,
  number,
  object,
  optional,
  required,
  type Shape,
  snowflake,
  string,
} from "./shapes.ts";
import { type SentUser, user, type UserObj, withAvatarUrl } from "./user.ts";

/** What every message has. A field is `null` when the platform did not send it or sent something that can't be read. */
export interface AnyMessageObj {
  /** The message's id, a snowflake. */
  readonly id: string;
  /** Type of the message: 0 for a usual one. */
  readonly type: number | null;
  /** The text. */
  readonly content: string | null;
  /** Id of the channel, a snowflake. */
  readonly channel_id: string | null;
  /** Id of the lobby it was sent in, a snowflake. */
  readonly lobby_id: string | null;
  /** Who wrote it. */
  readonly author: UserObj | null;
  /** When it was sent, in ISO 8601. */
  readonly timestamp: string | null;
  /** When it was last changed, in ISO 8601. */
  readonly edited_timestamp: string | null;
  /** Flags of the message. */
  readonly flags: number | null;
  /** Id of the application, a snowflake; during a session of its Social SDK only. */
  readonly application_id: string | null;
}

/**
 * A message in a lobby. A field is `null` when the platform did not send it or sent something that can't be read; only `id` is
 * always there.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#lobby-message-object | The lobby message object in the platform's documentation}
 */
export interface LobbyMessageObj extends AnyMessageObj {
  /** What the application put beside the message, by key. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/**
 * A message that was deleted in a lobby.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#lobby-message-delete | Lobby Message Delete in the platform's documentation}
 */
export interface DeletedLobbyMessageObj {
  /** The message's id, a snowflake. */
  readonly id: string;
  /** Id of the lobby, a snowflake; `null` when it can't be read. */
  readonly lobby_id: string | null;
}

/**
 * A direct message of a game. A field is `null` when the platform did not send it or sent something that can't be read; only `id`
 * is always there. Other fields of messages, such as `attachments` and `channel`, are as they came.
 *
 * @see {@link https://docs.discord.com/developers/events/webhook-events#message-object | Message objects in the platform's documentation}
 */
export interface GameDirectMessageObj extends AnyMessageObj {
  /** Id of the user it was sent to, a snowflake. */
  readonly recipient_id: string | null;
}

/** A message as the platform sends it: without what is built from other fields. */
export type SentMessage<Message extends AnyMessageObj> =
  & Omit<Message, "author">
  & { readonly author: SentUser | null };

const anyObject: Shape<Readonly<Record<string, unknown>>> = {
  expected: "an object",
  schema: v.custom<Readonly<Record<string, unknown>>>(isObject),
};

const messageFields = {
  id: required(snowflake),
  type: optional(number),
  content: optional(string),
  channel_id: optional(snowflake),
  lobby_id: optional(snowflake),
  author: optional(user),
  timestamp: optional(string),
  edited_timestamp: optional(string),
  flags: optional(number),
  application_id: optional(snowflake),
};

/** How a message in a lobby is read. */
export const lobbyMessage = object<SentMessage<LobbyMessageObj>>({
  ...messageFields,
  metadata: optional(anyObject),
});

/** How a message that was deleted in a lobby is read. */
export const deletedLobbyMessage = object<DeletedLobbyMessageObj>({
  id: required(snowflake),
  lobby_id: optional(snowflake),
});

/** How a direct message of a game is read. */
export const gameDirectMessage = object<SentMessage<GameDirectMessageObj>>({
  ...messageFields,
  recipient_id: optional(snowflake),
});

/** Adds the URL of the author's avatar. */
export function withAuthorAvatarUrl<Sent extends { readonly author: SentUser | null }>(
  sent: Sent,
  cdnUrl: string,
): Omit<Sent, "author"> & { readonly author: UserObj | null } {
  return { ...sent, author: sent.author && withAvatarUrl(sent.author, cdnUrl) };
}
