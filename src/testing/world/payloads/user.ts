/**
 * Describes the user object of the API.
 *
 * @module
 */

import type { Fields } from "../schema.ts";
import {
  boolean,
  integer,
  nonEmptyString,
  nullable,
  objectOf,
  optional,
  required,
  snowflake,
  string,
  withDefault,
} from "../schema.ts";

/** A user, as `GET /users/@me` returns it. `email` and `verified` need the scope `email`. */
export interface UserPayload {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's unique name. */
  readonly username: string;
  /** The discriminator: four digits for bots and old accounts, `"0"` for other users. */
  readonly discriminator: string;
  /** The display name. */
  readonly global_name: string | null;
  /** The avatar hash. */
  readonly avatar: string | null;
  /** True for the account of a bot. */
  readonly bot?: boolean;
  /** True for an account of the platform itself. */
  readonly system?: boolean;
  /** True if two-factor authentication is on. */
  readonly mfa_enabled: boolean;
  /** The banner hash. */
  readonly banner: string | null;
  /** The color of the banner as an integer. */
  readonly accent_color: number | null;
  /** The user's chosen language. */
  readonly locale: string;
  /** True if the email address is verified. */
  readonly verified?: boolean;
  /** The email address. */
  readonly email?: string | null;
  /** The account's flags. */
  readonly flags: number;
  /** The kind of subscription: 0 none, 1 classic, 2 full, 3 basic. */
  readonly premium_type?: number;
  /** The account's public flags. */
  readonly public_flags: number;
  /** The avatar decoration. */
  readonly avatar_decoration_data: AvatarDecorationPayload | null;
  /** Collectibles such as a nameplate. */
  readonly collectibles: CollectiblesPayload | null;
  /** The user's displayed guild tag. */
  readonly primary_guild: PrimaryGuildPayload | null;
}

/** The decoration around an avatar. */
export interface AvatarDecorationPayload {
  /** The image hash. */
  readonly asset: string;
  /** The id of the SKU. */
  readonly sku_id: string;
}

/** A user's collectibles. */
export interface CollectiblesPayload {
  /** The nameplate behind the user's name. */
  readonly nameplate?: {
    readonly sku_id: string;
    readonly asset: string;
    readonly label: string;
    readonly palette: string;
  } | undefined;
}

/** The guild tag beside a user's name. */
export interface PrimaryGuildPayload {
  /** The id of the guild. */
  readonly identity_guild_id: string | null;
  /** True if the tag is shown. */
  readonly identity_enabled: boolean | null;
  /** The tag's text, up to four characters. */
  readonly tag: string | null;
  /** The hash of the tag's badge. */
  readonly badge: string | null;
}

/** Returns the fields of a user, with their checks and default values. The default email address depends on the username. */
export function userFields(): Fields<UserPayload> {
  return {
    id: required(snowflake),
    username: required(nonEmptyString),
    discriminator: withDefault(string, "0"),
    global_name: withDefault(nullable(string), null),
    avatar: withDefault(nullable(string), null),
    bot: optional(boolean),
    system: optional(boolean),
    mfa_enabled: withDefault(boolean, false),
    banner: withDefault(nullable(string), null),
    accent_color: withDefault(nullable(integer), null),
    locale: withDefault(string, "en-US"),
    verified: withDefault(boolean, true),
    email: optional(nullable(string)),
    flags: withDefault(integer, 0),
    premium_type: withDefault(integer, 0),
    public_flags: withDefault(integer, 0),
    avatar_decoration_data: withDefault(nullable(objectOf(avatarDecorationFields())), null),
    collectibles: withDefault(nullable(objectOf(collectiblesFields())), null),
    primary_guild: withDefault(nullable(objectOf(primaryGuildFields())), null),
  };
}

/** Returns the user for an application with these scopes. */
export function userForScopes(
  user: UserPayload,
  scopes: readonly string[],
): Record<string, unknown> {
  const { email, verified, premium_type, ...rest } = user;
  return {
    ...rest,
    premium_type: scopes.includes("identify.premium") ? premium_type : 0,
    ...(scopes.includes("email") ? { email, verified } : {}),
  };
}

/** Returns the public fields of a user, for other objects such as members. */
export function publicUser(user: UserPayload): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(user).filter(([name]) => !privateFields.includes(name)),
  );
}

const privateFields: readonly string[] = [
  "mfa_enabled",
  "banner",
  "accent_color",
  "locale",
  "verified",
  "email",
  "premium_type",
] satisfies (keyof UserPayload)[];

export function avatarDecorationFields(): Fields<AvatarDecorationPayload> {
  return { asset: required(string), sku_id: required(string) };
}

export function collectiblesFields(): Fields<CollectiblesPayload> {
  return {
    nameplate: optional(objectOf<Nameplate>({
      sku_id: required(string),
      asset: required(string),
      label: required(string),
      palette: required(string),
    })),
  };
}

function primaryGuildFields(): Fields<PrimaryGuildPayload> {
  return {
    identity_guild_id: required(nullable(string)),
    identity_enabled: required(nullable(boolean)),
    tag: required(nullable(string)),
    badge: required(nullable(string)),
  };
}

type Nameplate = NonNullable<CollectiblesPayload["nameplate"]>;
