/**
 * The secrets of a request, which no error may show even if the platform repeats them. They are derived from what is sent,
 * so that a new operation can't forget to name one.
 *
 * @module
 */

import type { HttpRequest } from "./request.ts";

/** The fields of a form, or of JSON, that are no secret; every other text is. */
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

/** Every secret that a request carries, in clear and as it is sent, and those that belong to it. */
export function secretsOf(
  { authorization, form, json, otherSecrets = [] }: HttpRequest,
): string[] {
  const fields = Object.entries<unknown>(form ?? json ?? {})
    .filter(([name]) => !publicFields.includes(name))
    .map(([, value]) => value)
    .filter((value) => typeof value === "string");
  return [...credentialsOf(authorization), ...fields, ...otherSecrets];
}

/** The credentials of an `Authorization` header, and the client secret in those of the Basic scheme. */
function credentialsOf(authorization: string | undefined): string[] {
  if (!authorization) return [];
  const [scheme, credentials = ""] = authorization.split(" ");
  if (scheme !== "Basic") return [credentials];
  const encodedSecret = atob(credentials).replace(/^[^:]*:/, "");
  // RFC 6749 section 2.3.1 encodes it as in a form; a secret has no space, so that no "+" stands for one.
  return [credentials, decodeURIComponent(encodedSecret)];
}
