/**
 * Checks what a fake platform is configured with, field by field. What fields have to do with each other is checked where
 * the world is built.
 *
 * @module
 */

import { installScopes } from "./world/permissions.ts";
import type { Check, Fields } from "./world/schema.ts";
import {
  anything,
  boolean,
  callable,
  filledText,
  listOf,
  nullable,
  objectOf,
  optional,
  permissions,
  required,
  secretText,
  snowflake,
  tableOf,
  text,
  want,
} from "./world/schema.ts";
import { connectionFields } from "./world/payloads/connection.ts";
import { guildFields, roleFields } from "./world/payloads/guild.ts";
import { memberFields } from "./world/payloads/member.ts";
import { userFields } from "./world/payloads/user.ts";
import { apiRouteNames } from "./server.ts";
import type {
  FakeApplication,
  FakeConnection,
  FakeGuild,
  FakeInstallParams,
  FakeMember,
  FakePlatformOptions,
  FakeRateLimit,
  FakeRateLimits,
  FakeRole,
  FakeUser,
} from "./fake_platform.ts";

/** @throws {TypeError} When a field is unknown or of the wrong kind, with its path. */
export function checkOptions(options: unknown): void {
  objectOf(optionFields())(options, "");
}

function optionFields(): Fields<FakePlatformOptions> {
  return {
    applications: optional(listOf(objectOf(applicationFields()))),
    users: optional(listOf(objectOf(fakeUserFields()))),
    guilds: optional(listOf(objectOf(fakeGuildFields()))),
    // Checked where it is taken apart.
    origin: optional(anything),
    now: optional(callable),
    requireUserAgent: optional(boolean),
    codeLifetime: optional(seconds),
    tokenLifetime: optional(seconds),
    rateLimits: optional(objectOf(rateLimitsFields())),
    extraScopes: optional(listOf(filledText)),
  };
}

function applicationFields(): Fields<FakeApplication> {
  return {
    id: required(snowflake),
    name: optional(text),
    secret: required(nullable(secretText)),
    redirectUris: optional(listOf(redirectUri)),
    botToken: optional(secretText),
    ownerId: optional(text),
    icon: optional(nullable(text)),
    description: optional(text),
    installParams: optional(objectOf<FakeInstallParams>({
      scopes: required(listOf(installScope)),
      permissions: optional(permissions),
    })),
    webhookEvents: optional(webhookHandler),
  };
}

function fakeUserFields(): Fields<FakeUser> {
  return {
    ...userFields(),
    connections: optional(listOf(objectOf<FakeConnection>(connectionFields()))),
    extra: optional(tableOf(anything)),
  };
}

function fakeGuildFields(): Fields<FakeGuild> {
  return {
    ...guildFields(),
    roles: optional(listOf(objectOf<FakeRole>(roleFields()))),
    members: optional(tableOf(objectOf(fakeMemberFields()))),
    bots: optional(tableOf(permissions)),
    extra: optional(tableOf(anything)),
  };
}

function fakeMemberFields(): Fields<FakeMember> {
  return { ...memberFields(), permissions: optional(permissions), owner: optional(boolean) };
}

function rateLimitsFields(): Fields<FakeRateLimits> {
  return {
    ...rateLimitFields(),
    // A limit for a misspelled route would never apply.
    routes: optional(tableOf(objectOf(rateLimitFields()), apiRouteNames())),
    global: optional(objectOf(rateLimitFields())),
  };
}

function rateLimitFields(): Fields<FakeRateLimit> {
  return { limit: optional(positiveInteger), windowMs: optional(positiveNumber) };
}

const redirectUri: Check = (value, path) => {
  const holds = typeof value === "string" && URL.canParse(value) && !value.includes("#");
  want(holds, "an absolute URL without a fragment", value, path);
};

const webhookHandler: Check = (value, path) => {
  const isAddress = (typeof value === "string" || value instanceof URL) &&
    /^https?:\/\//i.test(String(value)) && URL.canParse(value);
  want(isAddress || typeof value === "function", "a function or an http address", value, path);
};

const installScope: Check = (value, path) => {
  const holds = typeof value === "string" && installScopes.includes(value);
  want(holds, installScopes.join(" or "), value, path);
};

const seconds: Check = (value, path) => {
  want(isPositive(value), "a positive number of seconds", value, path);
};

const positiveNumber: Check = (value, path) => {
  want(isPositive(value), "a positive number", value, path);
};

const positiveInteger: Check = (value, path) => {
  want(Number.isInteger(value) && isPositive(value), "a positive integer", value, path);
};

function isPositive(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
