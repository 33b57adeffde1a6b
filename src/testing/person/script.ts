/**
 * The `fetch` of a page's scripts, with the headers, cookies and CORS rules of a browser.
 *
 * @module
 */

import type { CookieJar } from "./cookie_jar.ts";

/** The parts of a browser that its scripts use. */
interface Surroundings {
  readonly send: (request: Request) => Promise<Response>;
  readonly jarOf: (url: URL) => CookieJar;
}

/**
 * Creates the `fetch` of the scripts on a page.
 *
 * @throws {TypeError} If the application does not allow the page to read the response.
 */
export function createScriptFetch(page: URL, { send, jarOf }: Surroundings): typeof fetch {
  return async (input, init) => {
    const isRequest = input instanceof Request;
    const url = new URL(isRequest ? input.url : input, page);
    const asked = new Request(isRequest ? input : url, { ...init, redirect: "manual" });
    // The requests of some runtimes do not keep `credentials`.
    const credentials = init?.credentials ?? (isRequest ? input.credentials : "same-origin");
    const isOwn = url.origin === page.origin;
    const isWithCredentials = isOwn ? credentials !== "omit" : credentials === "include";
    const throwIfRefused = (cause: string | null) => {
      if (cause === null) return;
      const target = url.origin + url.pathname;
      throw new TypeError(
        `a browser would block the ${asked.method} from ${page.origin} to ${target}: ${cause}`,
      );
    };
    if (!isOwn && needsPreflight(asked)) {
      const response = await send(preflightOf(asked, page));
      throwIfRefused(refusalByPreflight(asked, page.origin, isWithCredentials, response));
    }
    const sent = withBrowserHeaders(asked, page);
    const jar = isWithCredentials && siteOf(url) === siteOf(page) ? jarOf(url) : null;
    const cookie = jar?.request(url).headers.get("cookie");
    if (cookie) sent.headers.set("cookie", cookie);
    const response = await send(sent);
    jar?.store(response, url);
    if (!isOwn) throwIfRefused(refusalByOrigin(page.origin, isWithCredentials, response));
    return response;
  };
}

/** Returns a request with the headers that scripts can't set. */
function withBrowserHeaders(request: Request, page: URL): Request {
  const sent = new Request(request);
  const url = new URL(request.url);
  const isOwn = url.origin === page.origin;
  if (!isOwn || !/^(GET|HEAD)$/.test(request.method)) sent.headers.set("origin", page.origin);
  const related = siteOf(url) === siteOf(page) ? "same-site" : "cross-site";
  sent.headers.set("sec-fetch-site", isOwn ? "same-origin" : related);
  sent.headers.set("sec-fetch-mode", "cors");
  sent.headers.set("sec-fetch-dest", "empty");
  return sent;
}

/** Returns the scheme and the last two labels of the host. Only browsers have the list of public suffixes. */
function siteOf({ protocol, hostname }: URL): string {
  const isAddress = /^[\d.]+$/.test(hostname);
  return `${protocol}//${isAddress ? hostname : hostname.split(".").slice(-2).join(".")}`;
}

const simpleMethods = ["GET", "HEAD", "POST"];
const simpleTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/** Returns true if a browser asks the application before it sends the request (Fetch section 2.2.2). */
function needsPreflight(request: Request): boolean {
  return !simpleMethods.includes(request.method) || unusualHeaders(request).length > 0;
}

function unusualHeaders({ headers }: Request): string[] {
  return [...headers].filter(([name, value]) =>
    name === "content-type"
      ? !simpleTypes.test(value)
      : !["accept", "accept-language", "content-language"].includes(name)
  ).map(([name]) => name);
}

function preflightOf(request: Request, page: URL): Request {
  const names = unusualHeaders(request);
  const preflight = new Request(request.url, {
    method: "OPTIONS",
    headers: {
      "access-control-request-method": request.method,
      ...(names.length > 0 && { "access-control-request-headers": names.join() }),
    },
  });
  return withBrowserHeaders(preflight, page);
}

/** Returns why the response to a preflight request keeps a browser from sending the request, or null. */
function refusalByPreflight(
  request: Request,
  origin: string,
  isWithCredentials: boolean,
  response: Response,
): string | null {
  if (!response.ok) {
    return `the response to its preflight request has the status ${response.status}`;
  }
  const refusal = refusalByOrigin(origin, isWithCredentials, response);
  if (refusal !== null) return refusal;
  const allows = (header: string, value: string): boolean => {
    const list = (response.headers.get(header) ?? "").toLowerCase().split(/\s*,\s*/);
    return list.includes(value.toLowerCase()) || (!isWithCredentials && list.includes("*"));
  };
  const { method } = request;
  if (!simpleMethods.includes(method) && !allows("access-control-allow-methods", method)) {
    return `access-control-allow-methods lacks ${method}`;
  }
  const lacking = unusualHeaders(request).find((name) =>
    !allows("access-control-allow-headers", name)
  );
  return lacking === undefined ? null : `access-control-allow-headers lacks ${lacking}`;
}

/** Returns why a page may not read a response (Fetch section 4.9), or null. */
function refusalByOrigin(
  origin: string,
  isWithCredentials: boolean,
  { headers }: Response,
): string | null {
  const allowed = headers.get("access-control-allow-origin");
  if (allowed !== origin && (isWithCredentials || allowed !== "*")) {
    return `access-control-allow-origin is ${allowed ?? "missing"}`;
  }
  const allowsCredentials = headers.get("access-control-allow-credentials") === "true";
  return isWithCredentials && !allowsCredentials
    ? "access-control-allow-credentials is not true"
    : null;
}
