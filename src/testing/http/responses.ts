/**
 * Creates the platform's responses and errors.
 *
 * @module
 */

/** The path of a field in the body; an empty list for the body itself. */
export type FieldPath = string | readonly string[];

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Returns a redirect. The response is never cached, and the target does not get a `Referer` header. */
export function redirect(location: string): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

/** Adds CORS headers for pages of every origin. */
export function withCors(response: Response): Response {
  response.headers.set("access-control-allow-origin", "*");
  response.headers.set(
    "access-control-expose-headers",
    "Retry-After, X-RateLimit-Global, X-RateLimit-Limit, X-RateLimit-Remaining, " +
      "X-RateLimit-Reset, X-RateLimit-Reset-After, X-RateLimit-Bucket, X-RateLimit-Scope",
  );
  return response;
}

/** Returns the response to a CORS preflight. The caller adds the allowed origins with {@link withCors}. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers": "Authorization, Content-Type, User-Agent",
      "access-control-max-age": "86400",
    },
  });
}

/** Returns an API error with only its status, such as `401: Unauthorized`. */
export function statusError(status: number, headers: Record<string, string> = {}): Response {
  return json({ message: `${status}: ${reasons[status] ?? "Error"}`, code: 0 }, status, headers);
}

/** Returns an API error with a platform error code. */
export function apiError(status: number, code: number, message: string): Response {
  return json({ message, code }, status);
}

/** Returns the API error 50035 for one field. */
export function formError(field: FieldPath, code: string, message: string): Response {
  const errors = [field].flat().reduceRight<Record<string, unknown>>(
    (inner, name) => ({ [name]: inner }),
    { _errors: [{ code, message }] },
  );
  return json({ message: "Invalid Form Body", code: 50035, errors }, 400);
}

export function requiredError(field: FieldPath): Response {
  return formError(field, "BASE_TYPE_REQUIRED", "This field is required");
}

export function choiceError(field: FieldPath, choices: readonly number[]): Response {
  return formError(field, "BASE_TYPE_CHOICES", `Value must be one of {${choices.join(", ")}}.`);
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};
