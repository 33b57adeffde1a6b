/**
 * Reads a user's connections, which are accounts on other services.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { list, looseObject, number, orNull, type Schema, snowflake } from "./schemas.ts";

/**
 * A user's account on another service. A field that is missing or can't be read is `null`; only `id` and `type` are always there:
 * an account without them is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/user#connection-object | Discord: Connection object}
 */
export interface ConnectionObj {
  /** The account's id on the other service, in the format of that service. */
  readonly id: string;
  /** The service, for example `github`. Discord keeps adding services. */
  readonly type: string;
  /** The account's name on the other service. */
  readonly name: string | null;
  /** True if the account is verified as the user's. */
  readonly verified: boolean | null;
  /** True if access to the account was revoked. */
  readonly revoked: boolean | null;
  /** The guild integrations of the account. */
  readonly integrations: readonly ConnectionIntegrationObj[] | null;
  /** True if Discord synchronizes friends with the other service. */
  readonly friend_sync: boolean | null;
  /** True if the user's presence shows activity on the other service. */
  readonly show_activity: boolean | null;
  /** True if the other service stores the connection too. */
  readonly two_way_link: boolean | null;
  /** The visibility: 0 for the user alone, 1 for everyone. */
  readonly visibility: number | null;
}

/**
 * A guild's integration with an account. A field that is missing or can't be read is `null`; only `id` is always there: an
 * integration without an id is left out.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#integration-object | Discord: Integration object}
 */
export interface ConnectionIntegrationObj {
  /** The integration's id. */
  readonly id: string;
  /** The integration's name. */
  readonly name: string | null;
  /** The integration's type, for example `twitch` or `youtube`. */
  readonly type: string | null;
  /** True if the integration is enabled. */
  readonly enabled: boolean | null;
  /** The integration's account. */
  readonly account: IntegrationAccountObj | null;
  /** The integration's guild. */
  readonly guild: IntegrationGuildObj | null;
}

/**
 * The account of an integration. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/guild#integration-account-object | Discord: Integration account object}
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
  /** The hash of the icon. */
  readonly icon: string | null;
}

function integrationSchema(): Schema<ConnectionIntegrationObj> {
  return looseObject({
    id: v.string(),
    name: orNull(v.string()),
    type: orNull(v.string()),
    enabled: orNull(v.boolean()),
    account: orNull(looseObject({ id: orNull(v.string()), name: orNull(v.string()) })),
    guild: orNull(looseObject({
      id: orNull(snowflake()),
      name: orNull(v.string()),
      icon: orNull(v.string()),
    })),
  });
}

/** Creates the schema of an account on another service. @internal */
export function connectionSchema(): Schema<ConnectionObj> {
  return looseObject({
    id: v.string(),
    type: v.string(),
    name: orNull(v.string()),
    verified: orNull(v.boolean()),
    revoked: orNull(v.boolean()),
    integrations: orNull(v.array(integrationSchema())),
    friend_sync: orNull(v.boolean()),
    show_activity: orNull(v.boolean()),
    two_way_link: orNull(v.boolean()),
    visibility: orNull(number()),
  });
}

/** Creates the schema of the response to `GET /users/@me/connections`. @internal */
export function connectionsSchema(): Schema<readonly ConnectionObj[]> {
  return list(connectionSchema(), "The list of connections");
}
