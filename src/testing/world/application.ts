/**
 * The applications registered at the fake platform.
 *
 * @module
 */

import {
  type Check,
  type Fields,
  formatValue,
  listOf,
  nullable,
  objectOf,
  optional,
  permissions,
  required,
  secretString,
  snowflake,
  string,
  throwUnless,
} from "./schema.ts";
import { installScopes } from "./scopes.ts";
import type { User } from "./user.ts";

/** An application registered at the fake platform. */
export interface FakeApplication {
  /** The client id, a snowflake. */
  readonly id: string;
  /**
   * The name people read on the consent page.
   * @default "Fake application"
   */
  readonly name?: string;
  /** The client secret; `null` makes it a public client, which must use PKCE. */
  readonly secret: string | null;
  /** The redirect URIs that may be used, each compared character by character. */
  readonly redirectUris?: readonly string[];
  /** The bot's token, for `Authorization: Bot …`. Without it no request can be made as the bot. */
  readonly botToken?: string;
  /**
   * The id of the user whom the client credentials grant acts for.
   * @default the first user
   */
  readonly ownerId?: string;
  /** The icon hash. */
  readonly icon?: string | null;
  /** A sentence about the application. */
  readonly description?: string;
  /**
   * The default install settings: what an authorize link asks for that names nothing but the `client_id`.
   * @default `applications.commands`, and `bot` if there is a `botToken`, with no permissions
   */
  readonly installParams?: FakeInstallParams;
  /**
   * Where the platform sends `APPLICATION_DEAUTHORIZED` when a person's authorization ends: by a revocation, or by
   * {@link FakePlatform.removeApplication}. Each event is sent once.
   * @default nowhere
   */
  readonly webhookEvents?: FakeWebhookHandler;
}

/** The default install settings of an application. */
export interface FakeInstallParams {
  /** `applications.commands`, `bot`, or both. */
  readonly scopes: readonly string[];
  /**
   * The permissions of the bot, as a decimal string.
   * @default "0"
   */
  readonly permissions?: string;
}

/** What receives webhook events: a function that answers the request, or the address to send it to. */
export type FakeWebhookHandler =
  | ((request: Request) => Response | Promise<Response>)
  | string
  | URL;

const redirectUri: Check = (value, path) => {
  const holds = typeof value === "string" && URL.canParse(value) && !value.includes("#");
  throwUnless(holds, "an absolute URL without a fragment", value, path);
};

const webhookHandler: Check = (value, path) => {
  const isAddress = (typeof value === "string" || value instanceof URL) &&
    /^https?:\/\//i.test(String(value)) && URL.canParse(value);
  throwUnless(
    isAddress || typeof value === "function",
    "a function or an http address",
    value,
    path,
  );
};

const installScope: Check = (value, path) => {
  const holds = typeof value === "string" && installScopes.includes(value);
  throwUnless(holds, installScopes.join(" or "), value, path);
};

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
  readonly botToken: string | null;
  readonly owner: User;
  readonly icon: string | null;
  readonly description: string;
  /** What a link with nothing but the client id asks for. */
  readonly installParams: { readonly scopes: readonly string[]; readonly permissions: string };
  /** Where events are sent to, or `null`. */
  readonly webhookEvents: FakeWebhookHandler | null;
}

export function applicationFields(): Fields<FakeApplication> {
  return {
    id: required(snowflake),
    name: optional(string),
    secret: required(nullable(secretString)),
    redirectUris: optional(listOf(redirectUri)),
    botToken: optional(secretString),
    ownerId: optional(string),
    icon: optional(nullable(string)),
    description: optional(string),
    installParams: optional(objectOf<FakeInstallParams>({
      scopes: required(listOf(installScope)),
      permissions: optional(permissions),
    })),
    webhookEvents: optional(webhookHandler),
  };
}

export function buildApplication(
  given: FakeApplication,
  at: number,
  users: ReadonlyMap<string, User>,
): Application {
  const owner = given.ownerId === undefined
    ? users.values().next().value
    : users.get(given.ownerId);
  if (owner === undefined) {
    throw new TypeError(
      `applications[${at}].ownerId must be the id of a user: found ${formatValue(given.ownerId)}`,
    );
  }
  return {
    id: given.id,
    name: given.name ?? "Fake application",
    secret: given.secret,
    redirectUris: [...given.redirectUris ?? []],
    botToken: given.botToken ?? null,
    owner,
    icon: given.icon ?? null,
    description: given.description ?? "",
    installParams: {
      scopes: [
        ...given.installParams?.scopes ??
          (given.botToken === undefined ? ["applications.commands"] : installScopes),
      ],
      permissions: given.installParams?.permissions ?? "0",
    },
    webhookEvents: given.webhookEvents ?? null,
  };
}
