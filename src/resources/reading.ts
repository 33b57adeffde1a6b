/**
 * Reads responses with the schemas of the models. Fields that identify or protect are required; other fields may be wrong or missing, so
 * that a small difference from the documentation does not break a login.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { PayloadError, type PayloadIssue } from "../core/errors.ts";
import { freeze } from "../core/freeze.ts";
import { repair } from "./repair.ts";
import { expectedValue, type Schema } from "./schemas.ts";

/** Receives the repaired issues of a response. */
export type Report = (issues: readonly PayloadIssue[]) => void;

/** Creates the schema of a model. Image URLs need their base URL. @internal */
export type CreateSchema<Model extends object> = (cdnUrl: string) => Schema<Model>;

/**
 * Turns a whole response into a model, and reports the repaired issues.
 *
 * @param createSchema The function that creates the model's schema. The schema's title names the response in errors.
 * @param payload The parsed JSON. The function may change and freeze this value, so no other code may use it.
 * @param cdnUrl The base URL of images, for a model with image URLs.
 * @throws {PayloadError} If a required field is missing or can't be read.
 * @internal
 */
export function readPayload<Model extends object>(
  createSchema: CreateSchema<Model>,
  payload: unknown,
  report: Report,
  cdnUrl = "",
): Model {
  return freeze(parsePayload(createSchema, payload, report, cdnUrl));
}

/**
 * Turns a whole response into a model as `readPayload` does, and does not freeze it.
 *
 * @param name The name of the response in errors.
 * @throws {PayloadError} If a required field is missing or can't be read.
 * @internal
 */
export function parsePayload<Model extends object>(
  createSchema: CreateSchema<Model>,
  payload: unknown,
  report: Report,
  cdnUrl = "",
  name?: string,
): Model {
  const schema = schemaFor(createSchema, cdnUrl);
  const result = v.safeParse(schema, payload, { message: expectedValue });
  if (result.success) return result.output;
  const { isReadable, issues } = repair(schema, result.issues);
  if (!isReadable) {
    const what = name ?? v.getTitle(schema);
    throw new PayloadError(`${what} is not what the platform documents`, { issues });
  }
  const model = v.parse(schema, payload);
  report(issues);
  return model;
}

/** The latest schema of each function. */
const schemas = new WeakMap<CreateSchema<object>, { cdnUrl: string; schema: Schema<object> }>();

/** Creates a schema at its first use, and again for the images of another platform. */
function schemaFor<Model extends object>(
  createSchema: CreateSchema<Model>,
  cdnUrl: string,
): Schema<Model> {
  const latest = schemas.get(createSchema);
  if (latest?.cdnUrl === cdnUrl) return latest.schema as Schema<Model>;
  const schema = createSchema(cdnUrl);
  schemas.set(createSchema, { cdnUrl, schema });
  return schema;
}
