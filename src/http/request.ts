/**
 * A request to Discord, as an operation describes it.
 *
 * @module
 */

import type { Deadline } from "../core/wait.ts";

/** A method of Discord's API. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request to Discord. */
export interface HttpRequest {
  readonly method: HttpMethod;
  /** The path below `apiUrl`. */
  readonly path: string;
  /** The path as errors and events show it, if `path` itself may hold a secret. A name in braces stands for an argument. */
  readonly template?: string;
  readonly query?: Readonly<Record<string, string | number | true | undefined>> | undefined;
  readonly form?: Readonly<Record<string, string>>;
  /** The body, sent as JSON. */
  readonly json?: Readonly<Record<string, unknown>> | readonly unknown[] | undefined;
  /** The body as JSON text, instead of `json`. Its secrets are in `otherSecrets`. */
  readonly jsonText?: string | undefined;
  /** The text for the audit log of a guild. */
  readonly auditLogReason?: string | undefined;
  /** The `Authorization` header: a scheme, a space, and the credentials. */
  readonly authorization?: string | undefined;
  /** True if a 401 may have another cause than the token. */
  readonly has401ForOtherReasons?: boolean;
  readonly signal?: AbortSignal | null | undefined;
  /** The deadline of the call. @default {after the time limit of the client} */
  readonly deadline?: Deadline | undefined;
  /**
   * Called when the headers of a successful response arrive, for a request that issues a token. The response is then read beyond the time limit,
   * because the token can't be issued again.
   */
  readonly onIssued?: (() => void) | null | undefined;
  /** True if the request uses up a code. Sending it again then helps only if Discord did not read the request. */
  readonly usesUpCode?: boolean;
  /**
   * True if a visitor or the caller chose a part of the request: an id, a body, a redirect URI from the `Host` header. That part may
   * cause a block by the edge, so a block does not pause other requests.
   */
  readonly isShapedByCaller?: boolean;
  /** True to send a `GET` once, and not to retry it after a failure. */
  readonly isSentOnce?: boolean;
  /** True if a successful response may have an empty body, which is read as `null`. The body of a 204 may always be empty. */
  readonly mayBeEmpty?: boolean;
  /** Returns the hint for a request refused with 401, 403 or 404. */
  readonly hint?: (httpStatus: number) => string;
  /** The hint for a lost response. Discord may have carried out the request. */
  readonly lostHint?: string;
  /** Secrets besides the credentials and the fields of `form` and `json`. */
  readonly otherSecrets?: readonly string[];
  /** Translates an OAuth error code, since servers use several codes for the same error. */
  readonly oauthErrorOf?: (error: string, description: string) => string;
  /** Returns the hint for an OAuth error. */
  readonly oauthHint?: (error: string, description: string) => string | undefined;
}

/** Returns the method and the URL of a request, for errors. */
export function requestLineOf(
  request: Pick<HttpRequest, "method" | "path" | "template">,
  apiUrl: string,
): string {
  return `${request.method} ${apiUrl}${shownPathOf(request)}`;
}

/** Returns the path as errors and events show it. */
export function shownPathOf({ template, path }: Pick<HttpRequest, "path" | "template">): string {
  return template ?? path;
}

/** Replaces the ids and the names in braces of a path, so that the same operation always gives the same text. */
export function withoutIds(path: string): string {
  return path.replace(/\/(\d+|\{\w+\})/g, "/*");
}

/** Returns true for a request with the token of a person. */
export function isTokenOfPerson({ authorization }: HttpRequest): boolean {
  return authorization?.startsWith("Bearer ") === true;
}

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

/**
 * Returns the secrets of a request, which an error never shows, even if Discord repeats them. They are found in the request itself, so
 * that a new operation can't omit one: its credentials, encoded and decoded, its secret fields, and its
 * `otherSecrets`.
 */
export function secretsOf({ authorization, form, json, otherSecrets = [] }: HttpRequest): string[] {
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
