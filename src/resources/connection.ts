/**
 * A user's account on another service.
 *
 * @module
 */

import { freeze, readAnswer, type Report } from "./reading.ts";
import { boolean, list, number, object, optional, required, snowflake, string } from "./shapes.ts";

/**
 * A user's account on another service. A field is `null` when the platform did not send it or sent something that can't be read;
 * only `id` and `type` are always there, as an entry without them is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#connection-object | The connection object in the platform's documentation}
 */
export interface ConnectionObj {
  /** The account's id on the other service, in a form of that service. */
  readonly id: string;
  /** The service, for example `github`. The platform keeps adding services. */
  readonly type: string;
  /** The account's name on the other service. */
  readonly name: string | null;
  /** Whether the user has shown to be the owner of the account. */
  readonly verified: boolean | null;
  /** Whether access to the account was revoked. */
  readonly revoked: boolean | null;
  /** The integrations of guilds that belong to the account. */
  readonly integrations: readonly ConnectionIntegrationObj[] | null;
  /** Whether friends are added from the other service. */
  readonly friend_sync: boolean | null;
  /** Whether the user's presence shows what they do there. */
  readonly show_activity: boolean | null;
  /** Whether the other service has a token for the user. */
  readonly two_way_link: boolean | null;
  /** Who sees the connection: 0 the user alone, 1 everyone. */
  readonly visibility: number | null;
}

/**
 * A guild's integration with an account. A field that is missing or can't be read is `null`; only `id` is always there, as an
 * integration without it is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#integration-object | The integration object in the platform's documentation}
 */
export interface ConnectionIntegrationObj {
  /** The integration's id. */
  readonly id: string;
  /** The integration's name. */
  readonly name: string | null;
  /** The type, for example `twitch` or `youtube`. */
  readonly type: string | null;
  /** Whether it is on. */
  readonly enabled: boolean | null;
  /** The account that it belongs to. */
  readonly account: IntegrationAccountObj | null;
  /** The guild that it is in. */
  readonly guild: IntegrationGuildObj | null;
}

/**
 * The account of an integration. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#integration-account-object | The integration account object in the platform's documentation}
 */
export interface IntegrationAccountObj {
  /** The account's id on the other service. */
  readonly id: string | null;
  /** The account's name on the other service. */
  readonly name: string | null;
}

/** The guild of an integration. A field that is missing or can't be read is `null`. */
export interface IntegrationGuildObj {
  /** The guild's id, a snowflake. */
  readonly id: string | null;
  /** The guild's name. */
  readonly name: string | null;
  /** Hash of the icon. */
  readonly icon: string | null;
}

const integration = object<ConnectionIntegrationObj>({
  id: required(string),
  name: optional(string),
  type: optional(string),
  enabled: optional(boolean),
  account: optional(
    object<IntegrationAccountObj>({ id: optional(string), name: optional(string) }),
  ),
  guild: optional(
    object<IntegrationGuildObj>({
      id: optional(snowflake),
      name: optional(string),
      icon: optional(string),
    }),
  ),
});

/** The shape of an account on another service. @internal */
export const connection = object<ConnectionObj>({
  id: required(string),
  type: required(string),
  name: optional(string),
  verified: optional(boolean),
  revoked: optional(boolean),
  integrations: optional(list(integration)),
  friend_sync: optional(boolean),
  show_activity: optional(boolean),
  two_way_link: optional(boolean),
  visibility: optional(number),
});

/**
 * Reads the answer to `GET /users/@me/connections`; `null` is an empty list.
 *
 * @throws {PayloadError} When it is not a list.
 */
export function toConnections(payload: unknown, report: Report): ConnectionObj[] {
  const found = readAnswer("The list of connections", list(connection), payload ?? [], report);
  return found.map((entry) => freeze(entry));
}
