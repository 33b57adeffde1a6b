/**
 * What an operation asks for: one request to the platform.
 *
 * @module
 */

/** The methods of the platform's API that this library uses. */
export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";

/** One request. */
export interface HttpRequest {
  /** The method. @default {"POST" with a form, "GET" without} */
  readonly method?: HttpMethod;
  /** What comes after `apiUrl`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | true | undefined>>;
  readonly form?: Readonly<Record<string, string>>;
  /** A body that is sent as JSON. */
  readonly json?: Readonly<Record<string, unknown>> | readonly unknown[];
  /** The `Authorization` header: a scheme, a space, and the credentials. */
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | null | undefined;
  /** Whether a success may have an empty body, which is `null` then. With 204 it always may. */
  readonly mayBeEmpty?: boolean;
  /** What to do about a refusal by the API with 401, 403 or 404, where the operation knows. */
  readonly hint?: (httpStatus: number) => string;
  /** What to do when no whole answer comes, where the request may have had its effect all the same. */
  readonly lostHint?: string;
  /** Secrets that are not sent, and that an answer may repeat. */
  readonly otherSecrets?: readonly string[];
  /** The error code that a refusal in the words of OAuth means, where servers use several for the same thing. */
  readonly oauthErrorOf?: (error: string, description: string) => string;
  /** What to do about a refusal in the words of OAuth, where the operation knows better than `OAuthError` does. */
  readonly oauthHint?: (error: string, description: string) => string | undefined;
}

/** The method of a request. */
export function methodOf({ method, form }: HttpRequest): HttpMethod {
  return method ?? (form ? "POST" : "GET");
}
