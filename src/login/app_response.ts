/**
 * Responds at `appPath`: logins of apps, extensions and Activities, which have no cookies. Requests and responses are JSON.
 *
 * @module
 */

import { checkOptionNames } from "../core/options.ts";
import { throwBadObject } from "../core/arguments.ts";
import { parseJson, readText } from "../http/body_limit.ts";
import { checkScopeSpelling, joinLinkScopes, type Scope } from "../links/scopes.ts";
import { errorDetails } from "./base/events.ts";
import { otherSessionError } from "./base/login_error.ts";
import { assertPkce } from "./base/pending_login.ts";
import { beginAppLogin, findAppLogin } from "./callback/app_logins.ts";
import { finishLogin } from "./callback/finish_login.ts";
import type { LoginParts } from "./callback/login_parts.ts";
import { errorJson } from "./pages/error_response.ts";
import { publicSessionOf } from "./public_session.ts";
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
  const { options } = parts;
  try {
    const site = siteAddressOf(request, options);
    const visit = { request, site, isApp: true };
    if (!isAllowedOrigin(parts, visit)) {
      return refusal(403, "cross_site", "The origin of the page is not in the option appOrigins");
    }
    if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
      return refusal(415, "invalid_request", "The content-type must be application/json");
    }
    const text = await readText(request, maxBodyBytes, new AbortController().signal);
    if (text === null) return refusal(413, "invalid_request", "The body is too long");
    let asked: AppRequest;
    try {
      asked = appRequestFrom(parseJson(text), options.appTargets);
    } catch (error) {
      return refusal(400, "invalid_request", Object(error).message);
    }
    return asked.kind === "begin"
      ? Response.json(await beginAppLogin(parts, visit, asked), { headers: headersOf() })
      : await finishedResponse(parts, visit, asked);
  } catch (error) {
    const { code, reason } = errorDetails(error);
    return await errorJson(options, error, request, headersOf(), { reason: reason ?? code });
  }
}

/** Finishes a login, and responds with the token of its session. */
async function finishedResponse(
  parts: LoginParts,
  visit: Visit,
  { code, state, pending: sealed }: AppRequest & { readonly kind: "finish" },
): Promise<Response> {
  const { options, storeSessions } = parts;
  const callback = await findAppLogin(parts, visit, { code, state, pending: sealed });
  // The token names an added guild.
  const bot = { guildId: null, permissions: null };
  const { session, response, token } = await finishLogin(parts, callback, { code, bot });
  if (response) {
    const status = response.status >= 400 && response.status < 500 ? response.status : 403;
    return refusal(status, "refused", "This application did not accept the login");
  }
  // Without a token, or a session of it, the session has ended meanwhile.
  const bearer = session?.bearer;
  const found = bearer ? await storeSessions?.withToken(bearer) : null;
  if (!found?.session) throw otherSessionError();
  return Response.json({
    token: bearer,
    session: await publicSessionOf(options, found.session.content),
    // The SDK of an Activity needs it for `authenticate()`.
    ...(callback.pending.target === null && { accessToken: token.access_token }),
  }, { headers: headersOf() });
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
  if ((begin === undefined) === (finish === undefined)) {
    throw new TypeError("The body must have either begin or finish");
  }
  if (finish === undefined) {
    const { scope, target } = checkedFields("begin", begin, ["scope", "target"]);
    return {
      kind: "begin",
      scope: scope == null ? null : checkedScopes(scope),
      target: target == null ? null : checkedTarget(target, targets),
    };
  }
  const { code, state, pending } = checkedFields("finish", finish, ["code", "state", "pending"]);
  if (typeof code !== "string" || typeof pending !== "string") {
    throw new TypeError("finish must have the texts code and pending");
  }
  if (state != null && typeof state !== "string") throw new TypeError("state must be text");
  return { kind: "finish", code, state: state ?? null, pending };
}

/** Returns an object of the body whose names are all known. */
function checkedFields(
  name: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throwBadObject(name, "an object", value);
  }
  checkOptionNames(name, value, known);
  return { ...value };
}

function checkedTarget(target: unknown, targets: readonly string[]): string {
  if (typeof target === "string" && isListedTarget(target, targets)) return target;
  throw new TypeError("target must be one of the option appTargets");
}

function checkedScopes(scope: unknown): readonly Scope[] {
  const scopes = scope as readonly Scope[];
  joinLinkScopes(scopes);
  checkScopeSpelling(scopes);
  assertPkce(scopes);
  return scopes;
}

/** Returns the response to a request that is not accepted. */
function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: code, code, message }, { status, headers: headersOf() });
}

function headersOf(): Headers {
  return new Headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
}
