/**
 * A user, as on the wire.
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

/** What `GET /users/@me` answers. `email` and `verified` are there only with the `email` scope. */
export interface UserPayload {
  /** The user's id, a snowflake. */
  readonly id: string;
  /** The user's unique name. */
  readonly username: string;
  /** The user's tag: `"0"` since tags were retired, four digits for bots and old accounts. */
  readonly discriminator: string;
  /** The display name, if one is set. */
  readonly global_name: string | null;
  /** The avatar hash. */
  readonly avatar: string | null;
  /** Whether the account belongs to an application; absent means no. */
  readonly bot?: boolean;
  /** Whether the account is the platform's own; absent means no. */
  readonly system?: boolean;
  /** Whether two-factor authentication is on. */
  readonly mfa_enabled: boolean;
  /** The banner hash. */
  readonly banner: string | null;
  /** The color of the banner as an integer. */
  readonly accent_color: number | null;
  /** The chosen language. */
  readonly locale: string;
  /** Whether the email address is verified. */
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
  /** The guild whose tag the user shows. */
  readonly primary_guild: PrimaryGuildPayload | null;
}

/** The decoration around an avatar. */
export interface AvatarDecorationPayload {
  /** The hash of its image. */
  readonly asset: string;
  /** The id of the article it was bought as. */
  readonly sku_id: string;
}

/** A user's collectibles. */
export interface CollectiblesPayload {
  /** The nameplate the user shows. */
  readonly nameplate?: {
    readonly sku_id: string;
    readonly asset: string;
    readonly label: string;
    readonly palette: string;
  } | undefined;
}

/** The guild tag a user shows beside their name. */
export interface PrimaryGuildPayload {
  /** The guild's id. */
  readonly identity_guild_id: string | null;
  /** Whether the tag is shown. */
  readonly identity_enabled: boolean | null;
  /** The tag's text, up to four characters. */
  readonly tag: string | null;
  /** The hash of the tag's badge. */
  readonly badge: string | null;
}

/** What a user has when little is given. The email address is made from the username. */
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

/** The user as an application may see them, by its scopes. */
export function userForScopes(
  user: UserPayload,
  scopes: readonly string[],
): Record<string, unknown> {
  const { email, verified, premium_type, ...open } = user;
  return {
    ...open,
    premium_type: scopes.includes("identify.premium") ? premium_type : 0,
    ...(scopes.includes("email") ? { email, verified } : {}),
  };
}

/** The user as everybody may see them, inside other objects. */
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
