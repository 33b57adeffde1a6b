/**
 * Builds the request of `User.request()`, which can be any request of the API. The checks keep the URL below `apiUrl`, and secrets
 * out of errors.
 *
 * @module
 */

import {
  checkSecret,
  nameOrKind,
  throwBadArgument,
  throwBadObject,
  throwBadValue,
} from "../core/arguments.ts";
import type { PayloadIssue } from "../core/response_errors.ts";
import type { Scope } from "../links/scopes.ts";
import type { TimedCallOptions } from "../http/options.ts";
import type { HttpMethod } from "../http/request.ts";
import { issueAt, maxIssues } from "../resources/reading.ts";
import type { AuthorizedRequest } from "./authorized_http.ts";

/** Options of {@link User.request}. A `null` option means its default. */
export interface RequestOptions<Output = unknown> extends TimedCallOptions {
  /** The values for the names in braces in the path. Each value is URL-encoded. */
  readonly path?: Readonly<Record<string, string>> | null | undefined;
  /**
   * The query. `null` and `undefined` are left out. A list repeats the name; join the values yourself if Discord expects commas.
   */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | null | undefined;
  /**
   * The body, as JSON: an object or a list, or an object with `toJSON()`, such as a builder of discord.js. Only for methods other
   * than `GET`.
   */
  readonly json?: object | null | undefined;
  /** The scope that the operation needs. If the token is known to lack the scope, no request is sent. */
  readonly scope?: Scope | null | undefined;
  /** Checks and converts the result: a schema of valibot, zod, ArkType or any other library with Standard Schema. */
  readonly schema?: StandardSchema<Output> | null | undefined;
  /** True to skip the cache of `freshFor`. Only for `GET`. @default {false} */
  readonly fresh?: boolean | null | undefined;
}

/** A value in a query. */
export type QueryValue = string | number | bigint | boolean | null | undefined;

/**
 * A schema with the Standard Schema interface: the parts that `User.request()` uses.
 *
 * @typeParam Output The type of the converted value.
 * @see {@link https://standardschema.dev | Standard Schema}
 */
export interface StandardSchema<Output = unknown> {
  /** The properties of Standard Schema. */
  readonly "~standard": {
    /** The version of the interface. */
    readonly version: 1;
    /** Checks and converts a value. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  };
}

/** The result of a schema: the converted value, or the issues. */
export type SchemaResult<Output> =
  | {
    /** The converted value. */
    readonly value: Output;
    /** Absent if the value is valid. */
    readonly issues?: undefined;
  }
  | {
    /** The issues, at least one. */
    readonly issues: readonly SchemaIssue[];
  };

/** An issue found by a schema. */
export interface SchemaIssue {
  /** The description of the issue. */
  readonly message: string;
  /** The path of the part, as names or as objects with a `key`. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Adds a text of the request to the secrets if it may be one. */
type NoteSecret = (name: string, text: string) => void;

const methods: readonly HttpMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Returns a request for an operation without a method of its own.
 *
 * @throws {TypeError} If an argument is wrong. The message names the argument, and never shows its text.
 */
export function openRequest(
  method: HttpMethod,
  path: string,
  { path: values, query, json, scope, schema, fresh, timeout, signal }: RequestOptions,
): AuthorizedRequest {
  if (!methods.includes(method)) {
    throwBadValue("method", "GET, POST, PUT, PATCH or DELETE", nameOrKind(method));
  }
  const isRead = method === "GET";
  if (scope != null) checkSecret("scope", scope);
  if (fresh && !isRead) throw new TypeError("fresh can be used only with GET");
  if (json != null && isRead) throw new TypeError("json can't be used with GET, which has no body");
  if (schema != null && typeof schema["~standard"]?.validate !== "function") {
    throwBadObject("schema", "a schema that implements Standard Schema", schema);
  }
  const otherSecrets: string[] = [];
  const noteSecret: NoteSecret = (name, text) => {
    const isNamed = /(token|secret|password)$/i.test(name);
    const mayBeSecret = text.length >= minSecretLength && !/^\d+$/.test(text) &&
      otherSecrets.length < maxSecrets;
    if (isNamed || mayBeSecret) otherSecrets.push(text.slice(0, maxSecretLength));
  };
  const { filled, template } = fill(path, values ?? {}, noteSecret);
  return {
    operation: `${method} ${template}`,
    method,
    path: filled + queryText(query ?? {}, noteSecret),
    template,
    jsonText: json == null ? undefined : jsonText(json, noteSecret),
    scope: scope ?? null,
    otherSecrets,
    // Some operations respond with an empty 200.
    mayBeEmpty: true,
    isShapedByCaller: true,
    fresh,
    timeout,
    signal,
  };
}

/** The minimum length of a secret that is not known by its name. A shorter one could be a word that any error contains. */
const minSecretLength = 8;

/** The maximum length of a secret. A JSON web token has a few thousand characters. */
const maxSecretLength = 5000;

/** The maximum number of secrets that are not known by their names. The search for them in an error takes time. */
const maxSecrets = 200;

/** Fills in the names in braces. Returns the path to send, and the path to show. */
function fill(
  path: string,
  values: Readonly<Record<string, string>>,
  noteSecret: NoteSecret,
): { readonly filled: string; readonly template: string } {
  if (typeof path !== "string" || !path.startsWith("/")) {
    throwBadArgument("path", 'a string that begins with "/"', path);
  }
  checkPlain("path", values);
  const names: string[] = [];
  const filled: string[] = [];
  const shown: string[] = [];
  // Some operations of Discord have a slash at the end, as `/applications/{id}/quick-links/`.
  const [, inner = "", end = ""] = /^\/(.*?[^/])(\/?)$/s.exec(path) ?? [];
  for (const segment of inner.split("/")) {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name !== undefined) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      names.push(name);
      filled.push(encodedValue(name, value, noteSecret));
      shown.push(segment);
    } else {
      checkSegment(segment);
      filled.push(segment);
      // A token that the caller wrote into the path is not shown.
      const isWord = /^(@?[a-z-]{1,40}\d?|\d{1,20})$/.test(segment);
      shown.push(isWord ? segment : "*");
      if (!isWord) noteSecret("token", segment);
    }
  }
  if (!Object.keys(values).every((name) => names.includes(name))) {
    throw new TypeError(
      `options.path has an unknown name; names in path: ${names.join(", ") || "none"}`,
    );
  }
  return { filled: `/${filled.join("/")}${end}`, template: `/${shown.join("/")}${end}` };
}

/**
 * Checks a part of the path that the caller wrote. It has no `%`, so nothing in it is encoded, and no space, since a URL loses the spaces at
 * its end: `.. ` would become a dot segment.
 */
function checkSegment(segment: string): void {
  if (segment === "" || /[\\?#%{}\s]/.test(segment) || isUnsafe(segment)) {
    throw new TypeError(
      "path can't have empty or dot segments, a query, a fragment, spaces, control characters or percent-encoding: write a variable " +
        "part as a name in braces, like /lobbies/{lobbyId}, and pass its value in options.path",
    );
  }
}

/** Returns the value for a name in braces, encoded. */
function encodedValue(name: string, value: unknown, noteSecret: NoteSecret): string {
  const argument = `options.path.${name}`;
  if (typeof value !== "string" || value === "") throwBadArgument(argument, "a string", value);
  let decoded = value;
  // A server may decode more than once.
  for (let round = 0; round < 10; round++) {
    decoded = decoded.replace(
      /%([0-7][\da-f])/gi,
      (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)),
    );
  }
  if (isUnsafe(decoded) || /[/\\]/.test(decoded)) {
    throw new TypeError(
      `${argument} must not be . or .., or contain slashes or control characters`,
    );
  }
  // A visitor who may choose a member would choose the bot itself.
  if (/id$/i.test(name) && /^@me$/i.test(decoded)) {
    throw new TypeError(`${argument} must not be @me: write @me in path itself`);
  }
  noteSecret(name, value);
  return encodeURIComponent(value);
}

/** Returns true for a text with a control character, half of a surrogate pair, or a dot segment. */
function isUnsafe(text: string): boolean {
  return /[\p{Cc}\p{Cs}]|(^|[/\\])\.{1,2}($|[/\\])/u.test(text);
}

/** Returns the query with its question mark, or an empty text. */
function queryText(query: NonNullable<RequestOptions["query"]>, noteSecret: NoteSecret): string {
  checkPlain("query", query);
  const pairs: [string, string][] = [];
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) {
      if (value == null) continue;
      const isNumber = typeof value === "number" && Number.isFinite(value);
      if (!isNumber && !/^(string|bigint|boolean)$/.test(typeof value)) {
        throwBadArgument("a value of options.query", "a string, a number or a boolean", value);
      }
      noteSecret(name, String(value));
      pairs.push([name, String(value)]);
    }
  }
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** Returns the text of the body at once, so that later changes of the object have no effect. */
function jsonText(json: object, noteSecret: NoteSecret): string {
  // Not by `toJSON()`, which forms have on Bun.
  if (!Array.isArray(json)) checkPlain("json", json);
  let text: string | undefined;
  try {
    text = JSON.stringify(json, (name, value: unknown) => {
      if (typeof value === "string") noteSecret(name, value);
      return value;
    });
  } catch {
    // The error of the runtime shows names of fields.
  }
  if (!text || !/^[[{]/.test(text)) {
    throw new TypeError(
      "options.json must be an object or a list without a cycle, a BigInt or a failing toJSON()",
    );
  }
  return text;
}

/** Rejects lists, maps, forms and other objects whose content would be lost. */
function checkPlain(name: string, value: unknown): void {
  if (Object.prototype.toString.call(value) !== "[object Object]") {
    throwBadObject(`options.${name}`, "a plain object", value);
  }
}

/**
 * Checks and converts a payload with a schema.
 *
 * @returns The converted value, or the issues without the schema's messages, which may repeat a received value.
 */
export async function applySchema<Output>(
  schema: StandardSchema<Output>,
  payload: unknown,
): Promise<{ readonly value: Output } | { readonly issues: readonly PayloadIssue[] }> {
  const result = await schema["~standard"].validate(payload);
  if (!result.issues) return result;
  return { issues: result.issues.slice(0, maxIssues).map((issue) => safeIssue(issue, payload)) };
}

function safeIssue(issue: SchemaIssue, payload: unknown): PayloadIssue {
  // Not in Standard Schema: valibot, zod and ArkType describe the expected type here.
  const { expected } = issue as { readonly expected?: unknown };
  let found = payload;
  const path = (issue.path ?? []).map((part) => {
    const key = typeof part === "object" ? part.key : part;
    found = Object(found)[key];
    const text = String(key);
    // Any other key may be received text.
    return /^([a-z_-]{1,40}|\d{1,10})$/i.test(text) ? text : "*";
  });
  const what = typeof expected === "string" ? expected : "a value that matches the schema";
  return issueAt(path.join("."), what, found);
}
