/**
 * Describes the applications of the fake platform, and builds them from options.
 *
 * @module
 */

import { redirectUri } from "./redirect_uris.ts";
import { entitlementFields, type EntitlementPayload } from "./payloads/entitlement.ts";
import { subscriptionFields, type SubscriptionPayload } from "./payloads/subscription.ts";
import { userFields, type UserPayload } from "./payloads/user.ts";
import * as f from "./schema.ts";
import { applyDefaults, type Check, type FakeFields, type Fields, throwUnless } from "./schema.ts";
import { approvalScopes, installScopes } from "./scopes.ts";
import type { User } from "./user.ts";

/** A registered application of the fake platform. */
export interface FakeApplication {
  /** The client id, a snowflake. */
  readonly id: string;
  /**
   * The name on the consent page.
   * @default "Fake application"
   */
  readonly name?: string | undefined;
  /** The client secret; `null` for a public client, which must use PKCE. */
  readonly secret: string | null;
  /**
   * The registered redirect URIs; Discord accepts at most 10. The URI in a request must match exactly. Exceptions on this machine:
   * `http://127.0.0.1/callback` allows every port, and `http://localhost:*` every port and path.
   */
  readonly redirectUris?: readonly string[] | undefined;
  /** The bot's token, for `Authorization: Bot …`. Without a token, the bot can't make requests. */
  readonly botToken?: string | undefined;
  /**
   * The id of the application's owner, as in a guild. The client credentials grant issues tokens for this user.
   * @default the first user
   */
  readonly owner_id?: string | undefined;
  /**
   * True if a team owns the application. Its client credentials are then limited to `identify`, `applications.commands.update`,
   * and the scopes for builds, the store and entitlements.
   * @default false
   */
  readonly ownedByTeam?: boolean | undefined;
  /**
   * The approved scopes of the application, such as `rpc`. Without approval, the consent page looks normal, but “Authorize” ends
   * with the error `invalid_scope`.
   * @default {none}
   */
  readonly approvedScopes?: readonly string[] | undefined;
  /** The purchases of users and guilds in the application's store. */
  readonly entitlements?: readonly FakeEntitlement[] | undefined;
  /** The subscriptions to items of the application's store. */
  readonly subscriptions?: readonly FakeSubscription[] | undefined;
  /** The icon hash. */
  readonly icon?: string | null | undefined;
  /** The description of the application. */
  readonly description?: string | undefined;
  /**
   * The default install settings. They apply to an authorization URL with only a `client_id`.
   * @default `applications.commands`, and `bot` if there is a `botToken`, with no permissions
   */
  readonly installParams?: FakeInstallParams | undefined;
  /**
   * The receiver of `APPLICATION_DEAUTHORIZED` events. The platform sends one event when a user's authorization ends, through a
   * revocation or {@link FakePlatform.removeApplication}.
   * @default {no event}
   */
  readonly webhookEvents?: FakeWebhookHandler | undefined;
}

/** An entitlement of the fake platform. Only `id` and `sku_id` are required. */
export interface FakeEntitlement extends FakeFields<EntitlementPayload> {
  /** The id, a snowflake. */
  readonly id: string;
  /** The id of the item, a snowflake. */
  readonly sku_id: string;
}

/** A subscription of the fake platform. Only `id`, `user_id` and `sku_ids` are required. */
export interface FakeSubscription extends FakeFields<SubscriptionPayload> {
  /** The id, a snowflake. */
  readonly id: string;
  /** The id of the subscribed user. */
  readonly user_id: string;
  /** The ids of the items. */
  readonly sku_ids: readonly string[];
}

/** The default install settings of an application. */
export interface FakeInstallParams {
  /** `applications.commands`, `bot`, or both. */
  readonly scopes: readonly string[];
  /**
   * The permissions of the bot, as a decimal string.
   * @default "0"
   */
  readonly permissions?: string | undefined;
}

/** A receiver of webhook events: a fetch handler or a URL. */
export type FakeWebhookHandler =
  | ((request: Request) => Response | Promise<Response>)
  | string
  | URL;

/** A command of an application, with the fields of the response. */
export interface Command {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The permission of a role (1), a user (2) or a channel (3) for a command. */
export interface CommandPermission {
  readonly id: string;
  readonly type: 1 | 2 | 3;
  readonly permission: boolean;
}

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
  readonly botToken: string | null;
  readonly owner: User;
  readonly ownedByTeam: boolean;
  readonly approvedScopes: readonly string[];
  /** The entitlements, by id. */
  readonly entitlements: Map<string, EntitlementPayload>;
  /** The subscriptions, by id. */
  readonly subscriptions: ReadonlyMap<string, SubscriptionPayload>;
  /** The global commands, by id. */
  readonly commands: Map<string, Command>;
  /** The commands of each guild, by the id of the guild and their own. */
  readonly guildCommands: Map<string, Map<string, Command>>;
  /** The permissions of commands, by the id of the guild and that of the command. */
  readonly commandPermissions: Map<string, Map<string, readonly CommandPermission[]>>;
  readonly icon: string | null;
  readonly description: string;
  /** The scopes and permissions for an authorization URL with only a client id. */
  readonly installParams: { readonly scopes: readonly string[]; readonly permissions: string };
  readonly webhookEvents: FakeWebhookHandler | null;
}

export function applicationFields(): Fields<FakeApplication> {
  return {
    id: f.required(f.snowflake),
    name: f.optional(f.string),
    secret: f.required(f.nullable(f.secretString)),
    redirectUris: f.optional(f.listOf(redirectUri)),
    botToken: f.optional(f.secretString),
    owner_id: f.optional(f.string),
    ownedByTeam: f.optional(f.boolean),
    approvedScopes: f.optional(f.listOf(approvalScope)),
    icon: f.optional(f.nullable(f.string)),
    description: f.optional(f.string),
    installParams: f.optional(f.objectOf<FakeInstallParams>({
      scopes: f.required(f.listOf(installScope)),
      permissions: f.optional(f.permissions),
    })),
    webhookEvents: f.optional(webhookHandler),
    entitlements: f.optional(f.listOf(f.objectOf<FakeEntitlement>(entitlementFields()))),
    subscriptions: f.optional(f.listOf(f.objectOf<FakeSubscription>(subscriptionFields()))),
  };
}

const approvalScope: Check = (value, path) => {
  const holds = typeof value === "string" && approvalScopes.includes(value);
  throwUnless(holds, "a scope that needs the platform's approval", value, path);
};

const installScope: Check = (value, path) => {
  const holds = typeof value === "string" && installScopes.includes(value);
  throwUnless(holds, installScopes.join(" or "), value, path);
};

const webhookHandler: Check = (value, path) => {
  const isAddress = (typeof value === "string" || value instanceof URL) &&
    /^https?:\/\//i.test(String(value)) && URL.canParse(value);
  const holds = isAddress || typeof value === "function";
  throwUnless(holds, "a function or an http address", value, path);
};

/**
 * Builds an application.
 *
 * @param path The path of the options, for error messages.
 * @throws {TypeError} If the owner is not a user.
 */
export function buildApplication(
  options: FakeApplication,
  path: string,
  users: ReadonlyMap<string, User>,
): Application {
  const { owner_id: ownerId, botToken, installParams } = options;
  const owner = ownerId === undefined ? users.values().next().value : users.get(ownerId);
  throwUnless(owner !== undefined, "the id of a user", ownerId, `${path}.owner_id`);
  const defaultScopes = botToken === undefined ? ["applications.commands"] : installScopes;
  return {
    id: options.id,
    name: options.name ?? "Fake application",
    secret: options.secret,
    redirectUris: [...options.redirectUris ?? []],
    botToken: botToken ?? null,
    owner,
    ownedByTeam: options.ownedByTeam ?? false,
    approvedScopes: [...options.approvedScopes ?? []],
    entitlements: byId(options.entitlements, entitlementFields()),
    subscriptions: byId(options.subscriptions, subscriptionFields()),
    commands: new Map(),
    guildCommands: new Map(),
    commandPermissions: new Map(),
    icon: options.icon ?? null,
    description: options.description ?? "",
    installParams: {
      scopes: [...installParams?.scopes ?? defaultScopes],
      permissions: installParams?.permissions ?? "0",
    },
    webhookEvents: options.webhookEvents ?? null,
  };
}

/** Returns purchases by their ids. */
function byId<Payload>(
  purchases: readonly (FakeFields<Payload> & { readonly id: string })[] = [],
  fields: Fields<Payload>,
): Map<string, Payload> {
  return new Map(purchases.map((purchase) => [purchase.id, applyDefaults(fields, purchase)]));
}

/** Returns the user object of an application's bot. */
export function botUser({ id, name, icon }: Application): UserPayload {
  const own = { id, username: name, avatar: icon, discriminator: "0001", email: null };
  return applyDefaults(userFields(), { ...own, bot: true, mfa_enabled: true });
}
