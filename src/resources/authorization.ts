/**
 * Reads the authorization behind a token: its application, its scopes and its user.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import {
  looseObject,
  number,
  orNull,
  permissions,
  record,
  type Schema,
  snowflake,
} from "./schemas.ts";
import { type UserObj, userSchema } from "./user.ts";

/**
 * The authorization behind a token: the application, the user and the scopes. A field that is missing or can't be read is `null`;
 * only `application` with its `id` is always there, since it identifies the application of the token.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#get-current-authorization-information | Discord: Get Current Authorization Information}
 */
export interface AuthorizationObj {
  /** The application of the token. */
  readonly application: ApplicationObj;
  /** The granted scopes. */
  readonly scopes: readonly string[] | null;
  /** The time when the token expires, in ISO 8601. */
  readonly expires: string | null;
  /** The user who granted the scopes. Needs the `identify` scope. */
  readonly user: UserObj | null;
}

/** Creates the schema of an authorization: the response to `GET /oauth2/@me`. @internal */
export function authorizationSchema(cdnUrl: string): Schema<AuthorizationObj> {
  return looseObject({
    application: applicationSchema(cdnUrl),
    scopes: orNull(v.array(v.string())),
    expires: orNull(v.string()),
    user: orNull(userSchema(cdnUrl)),
  }, "The authorization");
}

/**
 * An application. A field that is missing or can't be read is `null`; only `id` is always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/application#application-object | Discord: Application object}
 */
export interface ApplicationObj {
  /** The application's id, a snowflake: the client id. */
  readonly id: string;
  /** The application's name. */
  readonly name: string | null;
  /** The hash of the icon. `applicationIconUrl` builds the URL. */
  readonly icon: string | null;
  /** The description. */
  readonly description: string | null;
  /** The type of an application with a special purpose. */
  readonly type: number | null;
  /** The application's bot. */
  readonly bot: UserObj | null;
  /** True if everyone can add the bot to guilds; false if only the application's owner can. */
  readonly bot_public: boolean | null;
  /** True if the bot joins a guild only after the exchange of the authorization code. */
  readonly bot_require_code_grant: boolean | null;
  /** The public key that verifies the signatures of interactions and webhook events, in hexadecimal. */
  readonly verify_key: string | null;
  /** The application's flags, without those above 31 bits. */
  readonly flags: number | null;
  /** All of the application's flags, as a decimal string. */
  readonly flags_new: string | null;
  /** Up to 5 tags with the content and features of the application. */
  readonly tags: readonly string[] | null;
  /** The URL of the terms of service. */
  readonly terms_of_service_url: string | null;
  /** The URL of the privacy policy. */
  readonly privacy_policy_url: string | null;
  /** The application's custom installation URL. */
  readonly custom_install_url: string | null;
  /** The scopes and permissions of the default install link. */
  readonly install_params: InstallParamsObj | null;
  /** The default install settings, keyed by place: `0` for a guild, `1` for a user. */
  readonly integration_types_config: Readonly<Record<string, IntegrationTypeConfigObj>> | null;
  /** The RPC origins of the application. */
  readonly rpc_origins: readonly string[] | null;
  /** The id of the application's guild, a snowflake. */
  readonly guild_id: string | null;
  /** The id of the game's SKU, a snowflake. */
  readonly primary_sku_id: string | null;
  /** The slug in the URL of the game's store page. */
  readonly slug: string | null;
  /** The hash of the cover image. `applicationCoverUrl` builds the URL. */
  readonly cover_image: string | null;
  /** The maximum number of people in an Activity; -1 for no limit. */
  readonly max_participants: number | null;
}

/**
 * The scopes and permissions of an install link. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/application#install-params-object | Discord: Install params}
 */
export interface InstallParamsObj {
  /** The scopes. */
  readonly scopes: readonly string[] | null;
  /** The permissions of the bot, as a decimal string for `new Permissions(…)`. */
  readonly permissions: `${bigint}` | null;
}

/**
 * The install settings of an application for one kind of place.
 *
 * @see {@link https://docs.discord.com/developers/resources/application#application-object-application-integration-type-configuration-object | Discord: Integration type configuration}
 */
export interface IntegrationTypeConfigObj {
  /** The scopes and permissions of the install link; `null` if the field is missing or can't be read. */
  readonly oauth2_install_params: InstallParamsObj | null;
}

function installParamsSchema(): Schema<InstallParamsObj> {
  return looseObject({ scopes: orNull(v.array(v.string())), permissions: orNull(permissions()) });
}

/** Creates the schema of an application. @internal */
export function applicationSchema(cdnUrl: string): Schema<ApplicationObj> {
  return looseObject({
    id: snowflake(),
    name: orNull(v.string()),
    icon: orNull(v.string()),
    description: orNull(v.string()),
    type: orNull(number()),
    bot: orNull(userSchema(cdnUrl)),
    bot_public: orNull(v.boolean()),
    bot_require_code_grant: orNull(v.boolean()),
    verify_key: orNull(v.string()),
    flags: orNull(number()),
    flags_new: orNull(v.string()),
    tags: orNull(v.array(v.string())),
    terms_of_service_url: orNull(v.string()),
    privacy_policy_url: orNull(v.string()),
    custom_install_url: orNull(v.string()),
    install_params: orNull(installParamsSchema()),
    integration_types_config: orNull(
      record(looseObject({ oauth2_install_params: orNull(installParamsSchema()) })),
    ),
    rpc_origins: orNull(v.array(v.string())),
    guild_id: orNull(snowflake()),
    primary_sku_id: orNull(snowflake()),
    slug: orNull(v.string()),
    cover_image: orNull(v.string()),
    max_participants: orNull(number()),
  });
}
