/**
 * Lists the secrets of a request. An error never shows them, even if the platform repeats them. They are found in the request
 * itself, so that a new operation can't omit one.
 *
 * @module
 */

import type { HttpRequest } from "./request.ts";

/** The fields of a form or of JSON that are public. The text of every other field is secret. */
const publicFields = [
  "client_id",
  "grant_type",
  "nick",
  "platform_name",
  "platform_username",
  "redirect_uri",
  "scope",
  "token_type_hint",
];

/** Returns the secrets of a request: its credentials, encoded and decoded, its secret fields, and its `otherSecrets`. */
export function secretsOf(
  { authorization, form, json, otherSecrets = [] }: HttpRequest,
): string[] {
  const fields = Object.entries<unknown>(form ?? json ?? {})
    .filter(([name]) => !publicFields.includes(name))
    .map(([, value]) => value)
    .filter((value) => typeof value === "string");
  return [...credentialsOf(authorization), ...fields, ...otherSecrets];
}

/** Returns the credentials of an `Authorization` header, and the client secret in Basic credentials. */
function credentialsOf(authorization: string | undefined): string[] {
  if (!authorization) return [];
  const [scheme, credentials = ""] = authorization.split(" ");
  if (scheme !== "Basic") return [credentials];
  const encodedSecret = atob(credentials).replace(/^[^:]*:/, "");
  // RFC 6749 section 2.3.1 encodes it as in a form. A secret has no space, so no "+" stands for one.
  return [credentials, decodeURIComponent(encodedSecret)];
}
