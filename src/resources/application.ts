/**
 * An application, as people see it.
 *
 * @module
 */

import {
  boolean,
  list,
  number,
  object,
  optional,
  permissions,
  required,
  snowflake,
  string,
  table,
} from "./shapes.ts";
import { type SentUser, user, type UserObj, withAvatarUrl } from "./user.ts";

/**
 * An application, as people see it. A field is `null` when the platform did not send it or sent something that can't be read; only
 * `id` is always there.
 *
 * @see {@link https://docs.discord.com/developers/resources/application#application-object | The application object in the platform's documentation}
 */
export interface ApplicationObj {
  /** The application's id, a snowflake: the client id. */
  readonly id: string;
  /** The application's name. */
  readonly name: string | null;
  /** Hash of the icon. */
  readonly icon: string | null;
  /** The description. */
  readonly description: string | null;
  /** Type of the application, for one that has a special purpose. */
  readonly type: number | null;
  /** The application's bot. */
  readonly bot: UserObj | null;
  /** Whether everybody can add the bot to guilds, and not only the application's owner. */
  readonly bot_public: boolean | null;
  /** Whether the bot joins a guild only when the code of the login is exchanged. */
  readonly bot_require_code_grant: boolean | null;
  /** Public key of the application, in hexadecimal, for the signatures of interactions and webhook events. */
  readonly verify_key: string | null;
  /** Flags of the application, those that fit into 31 bits. */
  readonly flags: number | null;
  /** All flags of the application, as a decimal string. */
  readonly flags_new: string | null;
  /** Up to 5 words about the application. */
  readonly tags: readonly string[] | null;
  /** URL of the terms of service. */
  readonly terms_of_service_url: string | null;
  /** URL of the privacy policy. */
  readonly privacy_policy_url: string | null;
  /** URL to install the application, where it has its own. */
  readonly custom_install_url: string | null;
  /** What the platform's own link installs. */
  readonly install_params: InstallParamsObj | null;
  /** What the platform's own link installs, by where: `0` in a guild, `1` for a user. */
  readonly integration_types_config: Readonly<Record<string, IntegrationTypeConfigObj>> | null;
  /** Origins that may control a person's client. */
  readonly rpc_origins: readonly string[] | null;
  /** Id of the guild that belongs to the application, a snowflake. */
  readonly guild_id: string | null;
  /** Id of the SKU of a game, a snowflake. */
  readonly primary_sku_id: string | null;
  /** The end of the URL of a game in the store. */
  readonly slug: string | null;
  /** Hash of the cover image. */
  readonly cover_image: string | null;
  /** The most people that can take part in an activity; -1 for no limit. */
  readonly max_participants: number | null;
}

/**
 * What a link installs. A field that is missing or can't be read is `null`.
 *
 * @see {@link https://docs.discord.com/developers/resources/application#install-params-object | Install params in the platform's documentation}
 */
export interface InstallParamsObj {
  /** The scopes. */
  readonly scopes: readonly string[] | null;
  /** The permissions of the bot, as a decimal string for `new Permissions(…)`. */
  readonly permissions: `${bigint}` | null;
}

/**
 * How an application is installed in one kind of place.
 *
 * @see {@link https://docs.discord.com/developers/resources/application#application-object-application-integration-type-configuration-object | Integration type configuration in the platform's documentation}
 */
export interface IntegrationTypeConfigObj {
  /** What the link installs; `null` when it is missing or can't be read. */
  readonly oauth2_install_params: InstallParamsObj | null;
}

/** An application as the platform sends one. */
export type SentApplication = Omit<ApplicationObj, "bot"> & { readonly bot: SentUser | null };

const installParams = object<InstallParamsObj>({
  scopes: optional(list(string)),
  permissions: optional(permissions),
});

/** The shape of an application. @internal */
export const application = object<SentApplication>({
  id: required(snowflake),
  name: optional(string),
  icon: optional(string),
  description: optional(string),
  type: optional(number),
  bot: optional(user),
  bot_public: optional(boolean),
  bot_require_code_grant: optional(boolean),
  verify_key: optional(string),
  flags: optional(number),
  flags_new: optional(string),
  tags: optional(list(string)),
  terms_of_service_url: optional(string),
  privacy_policy_url: optional(string),
  custom_install_url: optional(string),
  install_params: optional(installParams),
  integration_types_config: optional(
    table(
      object<IntegrationTypeConfigObj>({ oauth2_install_params: optional(installParams) }),
    ),
  ),
  rpc_origins: optional(list(string)),
  guild_id: optional(snowflake),
  primary_sku_id: optional(snowflake),
  slug: optional(string),
  cover_image: optional(string),
  max_participants: optional(number),
});

/** Adds the URL of the avatar to the application's bot, if it comes with one. */
export function withBotAvatarUrl(sent: SentApplication, cdnUrl: string): ApplicationObj {
  return { ...sent, bot: sent.bot && withAvatarUrl(sent.bot, cdnUrl) };
}
