/**
 * Responds at `appPath`: logins of apps, extensions and Activities, which have no cookies. Requests and responses are JSON.
 *
 * @module
 */

import { checkOptionNames } from "../core/options.ts";
import { parseJson, readText } from "../http/body_limit.ts";
import { checkLinkScopes, type Scope } from "../links/scopes.ts";
import { errorDetails, reportLoginFailure } from "./base/events.ts";
import { otherSessionError } from "./base/login_error.ts";
import { assertProtectedCode } from "./base/pending_login.ts";
import { beginAppLogin, findAppLogin } from "./callback/app_logins.ts";
import { finishLogin } from "./callback/finish_login.ts";
import type { Callback, LoginParts } from "./callback/login_parts.ts";
import { errorJson } from "./pages/error_response.ts";
import { publicHeaders, publicSessionOf } from "./public_session.ts";
import type { SessionContent } from "./sessions/open_session.ts";
import type { Visit } from "./sessions/session_storage.ts";
import { corsOrigin } from "./site/frontends.ts";
import { isListedTarget } from "./site/targets.ts";
import { siteAddressOf } from "./site/site_address.ts";

/** The maximum length of a request's body, in bytes. */
const maxBodyBytes = 8192;

/** The body of a request. */
type AppRequest =
  | {
    readonly kind: "begin";
    readonly scope: readonly Scope[] | null;
    readonly target: string | null;
  }
  | {
    readonly kind: "finish";
    readonly code: string;
    readonly state: string | null;
    readonly pending: string;
  };

/** Begins or finishes the login of an app. */
export async function respondToApp(parts: LoginParts, request: Request): Promise<Response> {
  const { options, report } = parts;
  const headers = publicHeaders(options);
  const refuse = (status: number, code: string, message: string) =>
    Response.json({ error: code, code, message }, { status, headers });
  try {
    const visit = { request, site: siteAddressOf(request, options), isApp: true };
    if (!isAllowedOrigin(parts, visit)) {
      return refuse(403, "cross_site", "The page's origin is not in the option appOrigins");
    }
    if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
      return refuse(415, "invalid_request", "The content-type must be application/json");
    }
    const text = await readText(request, maxBodyBytes, new AbortController().signal);
    if (text === null) return refuse(413, "invalid_request", "The body is too long");
    let asked: AppRequest;
    try {
      asked = appRequestFrom(parseJson(text), options.appTargets);
    } catch (error) {
      return refuse(400, "invalid_request", Object(error).message);
    }
    let callback: Callback;
    try {
      if (asked.kind === "begin") {
        return Response.json(await beginAppLogin(parts, visit, asked), { headers });
      }
      callback = await findAppLogin(parts, visit, asked);
    } catch (error) {
      reportLoginFailure(report, error);
      throw error;
    }
    const { session, response, token } = await finishLogin(parts, callback);
    if (response) {
      const status = response.status >= 400 && response.status < 500 ? response.status : 403;
      return refuse(status, "refused", "This application did not accept the login");
    }
    const bearer = session?.bearer;
    const found = bearer ? await sessionOfToken(parts, visit, bearer) : null;
    // The session has ended meanwhile.
    if (!found) throw otherSessionError();
    // The SDK of an Activity needs it for `authenticate()`.
    const accessToken = callback.pending.target === null ? token.access_token : undefined;
    const content = { token: bearer, session: await publicSessionOf(options, found), accessToken };
    return Response.json(content, { headers });
  } catch (error) {
    const { code, reason } = errorDetails(error);
    return await errorJson(options, error, request, headers, { reason: reason ?? code });
  }
}

/** Returns the content of the session with a token, as the next request of the app finds it. */
async function sessionOfToken(
  { sessions }: LoginParts,
  { site }: Visit,
  token: string,
): Promise<SessionContent | null> {
  const request = new Request(site.origin, { headers: { authorization: `Bearer ${token}` } });
  return (await sessions.find({ request, site }, false))?.session?.content ?? null;
}

/** Returns false for a page of an origin that the options do not name. Clients other than browsers send no `Origin`. */
function isAllowedOrigin({ options }: LoginParts, { request, site }: Visit): boolean {
  const origin = request.headers.get("origin");
  return origin === null || origin === site.origin ||
    corsOrigin(request, site.origin, options.frontends, options.appOrigins) !== null;
}

/**
 * Reads the body of a request.
 *
 * @throws {TypeError} If it is wrong.
 */
function appRequestFrom(body: unknown, targets: readonly string[]): AppRequest {
  const { begin, finish } = checkedFields("the body", body, ["begin", "finish"]);
  if ((begin == null) === (finish == null)) throw bodyError();
  if (finish == null) {
    const { scope, target } = checkedFields("begin", begin, ["scope", "target"]);
    return {
      kind: "begin",
      scope: scope == null ? null : checkedScopes(scope),
      target: target == null ? null : checkedTarget(target, targets),
    };
  }
  const { code, state, pending } = checkedFields("finish", finish, ["code", "state", "pending"]);
  if (![code, state ?? "", pending].every((value) => typeof value === "string")) throw bodyError();
  return { kind: "finish", code, state: state ?? null, pending } as AppRequest;
}

function bodyError(): TypeError {
  return new TypeError(
    "The body must have either begin, or finish with the strings code, state and pending",
  );
}

/** Returns an object of the body whose names are all known. */
function checkedFields(
  name: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  checkOptionNames(name, Object(value), known);
  return Object(value);
}

function checkedTarget(target: unknown, targets: readonly string[]): string {
  if (typeof target === "string" && isListedTarget(target, targets)) return target;
  throw new TypeError("target must be one of the appTargets");
}

function checkedScopes(scope: unknown): readonly Scope[] {
  const scopes = scope as readonly Scope[];
  checkLinkScopes(scopes);
  assertProtectedCode(scopes, true);
  return scopes;
}
