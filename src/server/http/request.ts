/**
 * What an operation asks for: one request to the platform.
 *
 * @module
 */

/** One request: a `GET`, or a `POST` when it has a form. */
export interface HttpRequest {
  /** What comes after `apiUrl`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | true | undefined>>;
  readonly form?: Readonly<Record<string, string>>;
  /** The `Authorization` header: a scheme, a space, and the credentials. */
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | null | undefined;
  /** What to do about a refusal by the API with 401, 403 or 404, where the operation knows. */
  readonly hint?: (httpStatus: number) => string;
  /** What to do about a refusal in the words of OAuth, where the operation knows better than `OAuthError` does. */
  readonly oauthHint?: (error: string, description: string) => string | undefined;
}

/** The method of a request. */
export function methodOf({ form }: HttpRequest): "GET" | "POST" {
  return form ? "POST" : "GET";
}
