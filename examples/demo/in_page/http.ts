/**
 * `Request` and `Response` with all headers. Those of a page drop cookies and `Origin`, which only a browser itself may set. The
 * bundle of the demo uses these two instead.
 *
 * @module
 */

class PageRequest extends globalThis.Request {
  override readonly headers: Headers;

  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, init);
    const given = init?.headers ?? (input instanceof globalThis.Request ? input.headers : {});
    this.headers = allHeaders(super.headers, given);
  }

  override clone(): PageRequest {
    return new PageRequest(super.clone(), { headers: this.headers });
  }
}

class PageResponse extends globalThis.Response {
  override readonly headers: Headers;

  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(body, init);
    this.headers = allHeaders(super.headers, init?.headers ?? {});
  }

  override clone(): PageResponse {
    return new PageResponse(super.clone().body, this);
  }
}

/** Returns the given headers, and the ones of the browser for the body. */
function allHeaders(added: Headers, given: HeadersInit): Headers {
  const headers = new Headers(given);
  for (const [name, value] of added) if (!headers.has(name)) headers.append(name, value);
  return headers;
}

export { PageRequest as Request, PageResponse as Response };
