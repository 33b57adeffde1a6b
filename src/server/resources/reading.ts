/**
 * How an answer is read: strict where a field identifies or protects, tolerant everywhere else.
 *
 * A shape describes a part of an answer and reads it in place, since an answer belongs to the call that got it. A field that
 * is missing or can't be read becomes `null`, an entry of a list that can't be read is left out, and only a required field
 * makes what it belongs to unreadable. Whether a single value is a string, a number or an id is checked with valibot; its
 * objects and lists are not used, as they copy: with them, a large guild took half as long again.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError, type PayloadIssue } from "../../errors.ts";

/** A part of an answer: what it should be, and how it is read. */
export interface Shape<Value> {
  /** What an issue says was expected, for example `a snowflake`. */
  readonly expected: string;
  /** The fields of an object, so that tests reach each of them. */
  readonly fields?: Readonly<Record<string, Field>>;
  /** The shape of a list's entries. */
  readonly entry?: Shape<unknown>;
  /** Gives the value, or adds an issue and gives `undefined` when it can't be read. */
  read(found: unknown, issues: Issue[]): Value | undefined;
}

/** A field of an object. */
export interface Field<Value = unknown> {
  /** What the field holds. */
  readonly shape: Shape<Value>;
  /** What stands for a field that is missing or can't be read; a required field has nothing. */
  readonly otherwise?: Value | null;
}

/** A place where an answer differs from the documentation. The path grows while the reader goes back up. */
export interface Issue {
  path: string;
  message: string;
}

/** Receives what was repaired in an answer. */
export type Report = (issues: readonly PayloadIssue[]) => void;

/** More issues than this are not kept, however much of an answer is wrong. */
const mostIssues = 100;

/** The fields of a model, each with a shape that fits its type: nullable where the type is, and nowhere else. */
export type FieldsOf<Model> = {
  readonly [Name in keyof Model]-?: null extends Model[Name]
    ? NullableField<NonNullable<Model[Name]>>
    : { readonly shape: Shape<Model[Name]>; readonly otherwise?: Model[Name] };
};

type NullableField<Value> =
  | { readonly shape: Shape<Value>; readonly otherwise: null }
  | { readonly shape: NullableShape<Value> };

interface NullableShape<Value> extends Shape<Value | null> {
  readonly isNullable: true;
}

/** A field that may be missing: `null` then. */
export function optional<Value>(
  shape: Shape<Value>,
): { readonly shape: Shape<Value>; readonly otherwise: null } {
  return { shape, otherwise: null };
}

/** A field without which the object can't be read. */
export function required<Any extends Shape<unknown>>(shape: Any): { readonly shape: Any } {
  return { shape };
}

/** A field that may be missing and has a value of its own then. */
export function withDefault<Value>(
  shape: Shape<Value>,
  otherwise: Value,
): { readonly shape: Shape<Value>; readonly otherwise: Value } {
  return { shape, otherwise };
}

/** Text. */
export const string: Shape<string> = single("a string", v.string());

/** A number. JSON may have some, such as 1e999, that become `Infinity`: they can't be read. */
export const number: Shape<number> = single(
  "a finite number",
  v.pipe(v.number(), v.finite()),
);

/** `true` or `false`. */
export const boolean: Shape<boolean> = single("true or false", v.boolean());

/** An id: a decimal string of up to 64 bits. */
export const snowflake: Shape<string> = single(
  "a snowflake",
  v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
);

/** Text that fits into a header, such as a token. */
export const printable: Shape<string> = single(
  "printable characters",
  v.pipe(v.string(), v.regex(/^[!-~]+$/)),
);

const decimal = single(
  "a decimal string",
  v.custom<`${bigint}`>((value) => typeof value === "string" && /^\d+$/.test(value)),
);

/** A permission value: a decimal string, or a whole number that has lost no digits, which becomes one. */
export const permissions: Shape<`${bigint}`> = {
  ...decimal,
  read(found, issues) {
    const value = decimal.read(found, issues);
    const isExact = typeof found === "number" && Number.isSafeInteger(found) && found >= 0;
    return isExact ? `${BigInt(found)}` : value;
  },
};

/** A single value that is read only if it is what is expected. */
export function single<Value>(expected: string, schema: v.GenericSchema<Value>): Shape<Value> {
  return {
    expected,
    read: (found, issues) => v.is(schema, found) ? found : addIssue(issues, expected, found),
  };
}

/** A value that may be `null` and must not be missing. */
export function nullable<Value>(shape: Shape<Value>): NullableShape<Value> {
  return {
    ...shape,
    isNullable: true,
    read: (found, issues) => found === null ? null : shape.read(found, issues),
  };
}

/** A list; an entry that can't be read is left out. */
export function list<Value>(entry: Shape<Value>): Shape<readonly Value[]> {
  const expected = "an array";
  return {
    expected,
    entry,
    read(found, issues) {
      if (!Array.isArray(found)) return addIssue(issues, expected, found);
      let length = 0;
      for (const [index, sent] of found.entries()) {
        const value = readPart(index, entry, sent, issues);
        if (value !== undefined) found[length++] = value;
      }
      found.length = length;
      return found;
    },
  };
}

/**
 * An object with these fields; others stay as they came.
 *
 * @param complete Adds what is derived from the fields, in place.
 */
export function object<Model extends object, Derived extends keyof Model = never>(
  fields: FieldsOf<Omit<Model, Derived>>,
  complete?: (model: Mutable<Model>) => void,
): Shape<Model> {
  const expected = "an object";
  const all = Object.entries<Field>(fields);
  const demanded = all.filter(([, { otherwise }]) => otherwise === undefined);
  const others = all.filter(([, { otherwise }]) => otherwise !== undefined);
  return {
    expected,
    fields,
    read(found, issues) {
      if (typeof found !== "object" || found === null || Array.isArray(found)) {
        return addIssue(issues, expected, found);
      }
      const model = found as Record<string, unknown>;
      for (const name of harmfulNames) if (Object.hasOwn(model, name)) delete model[name];
      let isReadable = true;
      for (const [name, { shape }] of demanded) {
        const value = readPart(name, shape, model[name], issues);
        if (value === undefined) isReadable = false;
        model[name] = value;
      }
      // Its other fields would only hide why it can't be read.
      if (!isReadable) return undefined;
      for (const [name, { shape, otherwise }] of others) {
        const sent = model[name] ?? undefined;
        const value = sent === undefined ? undefined : readPart(name, shape, sent, issues);
        if (value === undefined || value !== sent) model[name] = value ?? otherwise;
      }
      complete?.(model as Mutable<Model>);
      return model as Model;
    },
  };
}

/** Copied by assignment, they would change what the copy inherits. */
const harmfulNames = ["__proto__", "constructor", "prototype"];

/** A model while it is read. */
export type Mutable<Model> = { -readonly [Name in keyof Model]: Model[Name] };

/** Reads a part, and puts its name in front of the paths of its issues. */
function readPart<Value>(
  name: string | number,
  shape: Shape<Value>,
  found: unknown,
  issues: Issue[],
): Value | undefined {
  const before = issues.length;
  const value = shape.read(found, issues);
  if (issues.length > before) {
    for (const issue of issues.slice(before)) {
      issue.path = issue.path ? `${name}.${issue.path}` : `${name}`;
    }
  }
  return value;
}

/** Adds what was expected and the kind of what was found, never the thing itself: it may be a secret. */
export function addIssue(issues: Issue[], expected: string, found: unknown): undefined {
  if (issues.length < mostIssues) {
    issues.push({ path: "", message: `expected ${expected}, received ${kindOf(found)}` });
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
}

/**
 * Reads a whole answer, and reports what was repaired.
 *
 * @throws {PayloadError} When a required field is missing or can't be read.
 */
export function readAnswer<Model>(
  what: string,
  shape: Shape<Model>,
  payload: unknown,
  report: Report,
): Model {
  const issues: Issue[] = [];
  const model = shape.read(payload, issues);
  if (model === undefined) {
    throw new PayloadError(`${what} is not what the platform documents`, freeze(issues));
  }
  if (issues.length > 0) report(freeze(issues));
  return model;
}

/** Freezes a value and all it holds, without recursion: a payload may be nested deeper than the stack. */
export function freeze<Value extends object>(value: Value): Value {
  const pending: object[] = [value];
  for (let next = pending.pop(); next; next = pending.pop()) {
    // Before it is frozen, and a list as it is: that is twice as fast.
    for (const inner of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof inner === "object" && inner) pending.push(inner);
    }
    Object.freeze(next);
  }
  return value;
}
