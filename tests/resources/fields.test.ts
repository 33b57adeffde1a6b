/**
 * Reads every documented field with values of every wrong kind. The fields are those of the schemas, so the tests cover a new one by
 * themselves. The right values are written down here once more.
 */

import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PayloadIssue } from "../../mod.ts";
import { authorizationSchema } from "../../src/resources/authorization.ts";
import { commandPermissionsSchema } from "../../src/resources/command_permissions.ts";
import { connectionSchema } from "../../src/resources/connection.ts";
import { deviceAuthorizationSchema } from "../../src/resources/device_authorization.ts";
import { entitlementSchema } from "../../src/resources/entitlement.ts";
import { guildSchema, partialGuildSchema } from "../../src/resources/guild.ts";
import { memberSchema } from "../../src/resources/member.ts";
import {
  roleConnectionMetadataSchema,
  roleConnectionSchema,
} from "../../src/resources/role_connection.ts";
import { type CreateSchema, readPayload } from "../../src/resources/reading.ts";
import { tokenSchema } from "../../src/resources/token.ts";
import { userSchema } from "../../src/resources/user.ts";
import { idTokenClaimsSchema, userInfoSchema } from "../../src/resources/openid.ts";
import {
  applicationAuthorizedSchema,
  applicationDeauthorizedSchema,
  sdkMessageSchema,
  toWebhookEvent,
} from "../../src/resources/webhook_event.ts";
import { thrownBy } from "../support/responders.ts";
import {
  readAuthorization,
  readCommandPermissions,
  readConnections,
  readEntitlements,
  readGuild,
  readGuilds,
  type Reading,
  readMember,
  readRecords,
  readRoleConnection,
  readToken,
  readUser,
  readUserInfo,
  unfrozenPartsOf,
} from "../support/models.ts";
import { type AnySchema, entryOf, expectedOf, fieldsOf, isList } from "../support/schemas.ts";

/** For each expected kind of value, a right value and a function that accepts the others. */
const kinds: Record<string, { right: unknown; accepts: (value: unknown) => boolean }> = {
  "a string": { right: "Ada", accepts: (value) => typeof value === "string" },
  "a finite number": { right: 3, accepts: (value) => typeof value === "number" },
  "true or false": { right: true, accepts: (value) => typeof value === "boolean" },
  "a snowflake": { right: "80351110224678912", accepts: isDigits },
  "printable characters": {
    right: "t0ken",
    accepts: (value) => typeof value === "string" && /^[!-~]+$/.test(value),
  },
  "a web address": { right: "https://app.example/", accepts: () => false },
  "a decimal string": { right: "8", accepts: isDigits },
  "a value as text": { right: "1843", accepts: (value) => typeof value === "string" },
  "a number of seconds": {
    right: 604800,
    accepts: (value) => typeof value === "number" && value >= 0,
  },
  "a string or an array of strings": {
    right: ["1"],
    accepts: (value) =>
      [value].flat().every((entry) => typeof entry === "string" && entry !== endless),
  },
  "null or nothing": { right: null, accepts: (value) => value === null || value === false },
  "an array": { right: [], accepts: Array.isArray },
  "an object": {
    right: {},
    accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  },
};

function isDigits(value: unknown): boolean {
  return typeof value === "string" && /^\d{1,20}$/.test(value);
}

/** A number in JSON that is not finite after reading; a text until the JSON of the response is made. */
const endless = "1e999";

const values: unknown[] = ["", "two words", "12", "0x8", -1, 1.5, 12, true, false, [], {}, endless];

/** The values that are converted to another one, by the expected kind. */
const converted: Record<string, ReadonlyMap<unknown, unknown>> = {
  "a decimal string": new Map([[12, "12"]]),
  "a number of seconds": new Map([["12", 12]]),
  "a value as text": new Map([-1, 1.5, 12].map((value) => [value, String(value)])),
  // As null, which means yes, or as nothing, which means no.
  "null or nothing": new Map(values.map((value) => [value, value === true ? null : undefined])),
};

interface Place {
  /** The names and indexes that lead to a part of the payload. */
  readonly path: readonly string[];
  readonly schema: AnySchema;
  /** The value of a part that can't be read; `undefined` for a required part. */
  readonly fallback: unknown;
}

/** The name of the first entry of a list, and of the only value of a table. */
const first = "0";

/** Every part below a schema, itself not included. */
function placesIn(schema: AnySchema, path: readonly string[] = []): Place[] {
  const fields = fieldsOf(schema).map(({ name, schema, fallback }) => ({
    path: [...path, name],
    schema,
    fallback,
  }));
  const entry = entryOf(schema);
  const entries = entry ? [{ path: [...path, first], schema: entry, fallback: undefined }] : [];
  return [...fields, ...entries].flatMap((place) => [place, ...placesIn(place.schema, place.path)]);
}

/** A payload in which everything is there. */
function payloadOf(schema: AnySchema): unknown {
  const entry = entryOf(schema);
  if (entry) return isList(schema) ? [payloadOf(entry)] : { [first]: payloadOf(entry) };
  const fields = fieldsOf(schema);
  if (fields.length === 0) return kinds[expectedOf(schema)]?.right;
  return Object.fromEntries(fields.map(({ name, schema }) => [name, payloadOf(schema)]));
}

/** Stands for an entry that is not there. */
const leftOut = Symbol("left out");

/** The payload with another value in one place. */
function changed(payload: unknown, path: readonly string[], value: unknown): string {
  const copy = structuredClone(payload);
  const last = path.at(-1) ?? "";
  const parent = path.slice(0, -1).reduce((part, name) => Reflect.get(Object(part), name), copy);
  if (value !== leftOut) Reflect.set(Object(parent), last, value);
  else if (Array.isArray(parent)) parent.shift();
  else Reflect.deleteProperty(Object(parent), last);
  return JSON.stringify(copy).replaceAll(`"${endless}"`, endless);
}

/** A model without the fields that are built from others. */
function withoutDerived(model: unknown): unknown {
  const derived = ["avatar_decoration", "avatar_url", "icon_url", "perms"];
  const ofToken = ["expires_at", "scope", "scopes"];
  return JSON.parse(
    JSON.stringify(model, function (name, value) {
      const isDerived = derived.includes(name) ||
        ("access_token" in this && ofToken.includes(name));
      return isDerived ? undefined : value;
    }),
  );
}

type Read = (payload: unknown) => Promise<Reading<unknown>>;

/** Reads an entry of a list. */
function readEntry(readList: (payload: unknown) => Promise<Reading<readonly unknown[]>>): Read {
  return async (payload) => {
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    const { model, issues } = await readList(`[${text}]`);
    return {
      model: model[0],
      issues: issues.map(({ path, message }) => ({ path: path.replace("0.", ""), message })),
    };
  };
}

/** Returns the value of a JSON text, or a copy of a value, since what is read becomes the model. */
function parsed(payload: unknown): unknown {
  return JSON.parse(typeof payload === "string" ? payload : JSON.stringify(payload));
}

/** Reads the data of an event. */
function readData(type: string): Read {
  return (payload) => {
    const data = parsed(payload);
    const issues: PayloadIssue[] = [];
    const event = toWebhookEvent(
      { type: 1, event: { type, data } },
      "https://cdn.discordapp.com",
      (found) => issues.push(...found),
    );
    return Promise.resolve({
      model: "data" in event ? event.data : undefined,
      issues: issues.map(({ path, message }) => ({
        path: path.replace("event.data.", ""),
        message,
      })),
    });
  };
}

/** Reads a response without a client. */
function readAs(createSchema: CreateSchema<object>): Read {
  return async (payload) => {
    const issues: PayloadIssue[] = [];
    const model = await readPayload(
      createSchema,
      parsed(payload),
      (found) => issues.push(...found),
    );
    return { model, issues };
  };
}

const responses: [string, CreateSchema<object>, Read][] = [
  ["a user", userSchema, readUser],
  ["a guild", guildSchema, readGuild],
  ["a token response", tokenSchema, readToken],
  ["a member", memberSchema, readMember],
  ["an authorization", authorizationSchema, readAuthorization],
  ["a user info", userInfoSchema, readUserInfo],
  ["a role connection", roleConnectionSchema, readRoleConnection],
  ["the permissions of a command", commandPermissionsSchema, readCommandPermissions],
  ["an entry of the list of entitlements", entitlementSchema, readEntry(readEntitlements)],
  ["an entry of the list of guilds", partialGuildSchema, readEntry(readGuilds)],
  ["an entry of the list of connections", connectionSchema, readEntry(readConnections)],
  ["an entry of the list of records", roleConnectionMetadataSchema, readEntry(readRecords)],
  [
    "the data of APPLICATION_AUTHORIZED",
    applicationAuthorizedSchema,
    readData("APPLICATION_AUTHORIZED"),
  ],
  [
    "the data of APPLICATION_DEAUTHORIZED",
    applicationDeauthorizedSchema,
    readData("APPLICATION_DEAUTHORIZED"),
  ],
  ["the data of LOBBY_MESSAGE_CREATE", sdkMessageSchema, readData("LOBBY_MESSAGE_CREATE")],
  ["an id_token", idTokenClaimsSchema, readAs(idTokenClaimsSchema)],
  ["a device authorization", deviceAuthorizationSchema, readAs(deviceAuthorizationSchema)],
];

const cdnUrl = "https://cdn.discordapp.com";

test("The rows contain the fields of every exported schema", async () => {
  const namesIn = (schema: AnySchema) => fieldsOf(schema).map(({ name }) => name).join();
  const schemas = responses.map(([, createSchema]) => createSchema(cdnUrl))
    .flatMap((schema) => [schema, ...placesIn(schema).map(({ schema }) => schema)]);
  const known = new Set(schemas.map(namesIn));
  const missing: string[] = [];
  for (const file of readdirSync(new URL("../../src/resources/", import.meta.url))) {
    const exported: Record<string, (cdnUrl: string) => AnySchema> = await import(
      `../../src/resources/${file.replace(".ts", "")}.ts`
    );
    for (const [name, createSchema] of Object.entries(exported)) {
      if (!name.endsWith("Schema")) continue;
      const schema = createSchema(cdnUrl);
      const names = namesIn(isList(schema) ? entryOf(schema) ?? schema : schema);
      if (!known.has(names)) missing.push(`${name} of ${file}`);
    }
  }
  expect(missing).toEqual([]);
});

describe.each(responses)("%s", (name, createSchema, read) => {
  const root = createSchema(cdnUrl);
  const payload = payloadOf(root);
  const places = placesIn(root);
  /** The readings of documented responses. Many wrong values share one. */
  const documented = new Map<string, Promise<Reading<unknown>>>();

  function readDocumented(text: string): Promise<Reading<unknown>> {
    const reading = documented.get(text) ?? read(text);
    documented.set(text, reading);
    return reading;
  }

  test("is read without a report if everything is as documented", async () => {
    const { model, issues } = await read(payload);
    expect(issues).toEqual([]);
    expect(model).toBeDefined();
  });

  test("has every field, and null for each that the platform left out", async () => {
    const fields = fieldsOf(root);
    const names = fields.map((field) => field.name);
    const least = Object.fromEntries(
      fields.filter(({ fallback }) => fallback === undefined)
        .map(({ name, schema }) => [name, payloadOf(schema)]),
    );
    const { model, issues } = await read(least);
    expect(issues).toEqual([]);
    expect(Object.keys(Object(model))).toEqual(expect.arrayContaining(names));
    expect(Object.values(Object(model))).not.toContain(undefined);
  });

  test.each(places.map((place) => [place.path.join("."), place] as const))(
    "is read with %s of every wrong kind",
    async (path, place) => {
      const kind = kinds[expectedOf(place.schema)];
      if (!kind) throw new Error(`The test does not know what "${expectedOf(place.schema)}" is`);
      const wrong = values.filter((value) => !kind.accepts(value));
      expect(wrong.length).toBeGreaterThan(4);
      for (const value of wrong) {
        const text = changed(payload, place.path, value);
        const parent = repairedPart(places, place, value);
        if (!parent) {
          if (name.startsWith("an entry")) {
            expect((await read(text)).model).toBeUndefined();
            continue;
          }
          expect(await thrownBy(() => read(text))).toMatchObject({
            name: "PayloadError",
            issues: [{
              path,
              message: expect.stringContaining(`expected ${expectedOf(place.schema)}`),
            }],
          });
          continue;
        }
        const { model, issues } = await read(text);
        const received = value === endless ? "number" : kindOf(value);
        expect(issues).toEqual([
          { path, message: `expected ${expectedOf(place.schema)}, received ${received}` },
        ]);
        const same = sameAs(payload, parent, parent === place ? value : undefined);
        const healthy = await readDocumented(same);
        expect(healthy.issues).toEqual([]);
        expect(withoutDerived(model)).toEqual(withoutDerived(healthy.model));
        expect(unfrozenPartsOf(model)).toEqual([]);
      }
    },
  );
});

/** The documented response with the same model as a repaired one. */
function sameAs(payload: unknown, { path, schema, fallback }: Place, value: unknown): string {
  const conversions = converted[expectedOf(schema)];
  if (conversions?.has(value)) return changed(payload, path, conversions.get(value));
  return changed(payload, path, path.at(-1) === first ? leftOut : fallback);
}

/** The smallest part that can be repaired: the place itself, or the object of a required field. */
function repairedPart(
  places: readonly Place[],
  place: Place,
  value: unknown,
): Place | undefined {
  const isConverted = converted[expectedOf(place.schema)]?.has(value);
  if (place.fallback !== undefined || isConverted || place.path.at(-1) === first) return place;
  const path = place.path.slice(0, -1).join(".");
  const parent = places.find((other) => other.path.join(".") === path);
  return parent && repairedPart(places, parent, value);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "an array" : typeof value;
}
