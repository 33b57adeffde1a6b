/**
 * Describes the user object of the API.
 *
 * @module
 */

import * as f from "../schema.ts";
import type { Fields } from "../schema.ts";

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
    id: f.required(f.snowflake),
    username: f.required(f.nonEmptyString),
    discriminator: f.withDefault(f.string, "0"),
    global_name: f.withDefault(f.nullable(f.string), null),
    avatar: f.withDefault(f.nullable(f.string), null),
    bot: f.optional(f.boolean),
    system: f.optional(f.boolean),
    mfa_enabled: f.withDefault(f.boolean, false),
    banner: f.withDefault(f.nullable(f.string), null),
    accent_color: f.withDefault(f.nullable(f.integer), null),
    locale: f.withDefault(f.string, "en-US"),
    verified: f.withDefault(f.boolean, true),
    email: f.optional(f.nullable(f.string)),
    flags: f.withDefault(f.integer, 0),
    premium_type: f.withDefault(f.integer, 0),
    public_flags: f.withDefault(f.integer, 0),
    avatar_decoration_data: f.withDefault(f.nullable(f.objectOf(avatarDecorationFields())), null),
    collectibles: f.withDefault(f.nullable(f.objectOf(collectiblesFields())), null),
    primary_guild: f.withDefault(f.nullable(f.objectOf(primaryGuildFields())), null),
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
  return Object.fromEntries(Object.entries(user).filter(([name]) => !privateFields.includes(name)));
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
  return { asset: f.required(f.string), sku_id: f.required(f.string) };
}

export function collectiblesFields(): Fields<CollectiblesPayload> {
  return {
    nameplate: f.optional(f.objectOf<Nameplate>({
      sku_id: f.required(f.string),
      asset: f.required(f.string),
      label: f.required(f.string),
      palette: f.required(f.string),
    })),
  };
}

function primaryGuildFields(): Fields<PrimaryGuildPayload> {
  return {
    identity_guild_id: f.required(f.nullable(f.string)),
    identity_enabled: f.required(f.nullable(f.boolean)),
    tag: f.required(f.nullable(f.string)),
    badge: f.required(f.nullable(f.string)),
  };
}

type Nameplate = NonNullable<CollectiblesPayload["nameplate"]>;
