/**
 * Sends a request with a token, and creates the model of its response.
 *
 * @module
 */

import type { Deadline } from "../core/wait.ts";
import { type CheckedOptions, checkOptions, type ClientOptions, createReport } from "../http/options.ts";
import type { Limit } from "../http/limits/call.ts";
import { edgeBlock } from "../http/limits/pause.ts";
import { Queue } from "../http/limits/queue.ts";
import { refusedToken } from "../http/limits/refused_token.ts";
import { type HttpRequest, methodOf, shownPathOf } from "../http/request.ts";
import { requestJson } from "../http/send.ts";
import type { Report } from "../resources/reading.ts";
import { type AccessToken, isBotToken } from "./access_token.ts";

/** The scheme of a token. */
export type TokenType = "Bearer" | "Bot";

/** A request that is sent with a token. */
export interface AuthorizedRequest
  extends Omit<HttpRequest, "authorization" | "oauthHint" | "hint" | "deadline"> {
  /** The time limit in milliseconds. @default {the option of the client} */
  readonly timeout?: number | null | undefined;
  /** The method that was called, for errors, as in `getUserGuilds()`. */
  readonly operation: string;
  /** The needed scope; `null` if the operation does not need one. */
  readonly scope: string | null;
  /** True if the request needs a bot token. @default {false} */
  readonly forBots?: boolean;
  /** The hint for a 401 with the token of a person. The cause of this 401 is the operation, not the token. */
  readonly unauthorizedHint?: string;
  /** The hint for a 403 or 404, in place of the hint to check the scope. */
  readonly refusalHint?: string;
  /** The access token of a person, for the request of a bot. */
  readonly tokenOfPerson?: string | undefined;
  /** True to skip the cache and the reads under way. @default {false} */
  readonly fresh?: boolean | null | undefined;
}

/** Creates a model from the payload of a response. */
export type ToModel<Model> = (payload: unknown, report: Report, cdnUrl: string) => Model;

/** A client that sends requests with tokens of one type. */
export interface AuthorizedClient {
  readonly options: CheckedOptions;
  readonly tokenType: TokenType;
  readonly limits: readonly Limit[];
  readonly onUnexpected: ClientOptions["onUnexpected"];
}

/** Creates a client. @throws {TypeError} If an option is wrong. The message names the option. */
export function createAuthorizedClient(
  given: ClientOptions,
  tokenType: TokenType,
): AuthorizedClient {
  const options = checkOptions(given);
  const limits = [refusedToken, new Queue(options), edgeBlock];
  return { options, tokenType, limits, onUnexpected: given.onUnexpected };
}

/**
 * Sends a request to the platform, and returns the model of its response.
 *
 * @param signal The signal of the caller, or that of all callers who share the read.
 */
export async function requestModel<Model>(
  { options, tokenType, limits, onUnexpected }: AuthorizedClient,
  token: AccessToken,
  request: AuthorizedRequest,
  toModel: ToModel<Model>,
  signal?: AbortSignal | null,
  deadline?: Deadline,
): Promise<Model> {
  const { has401ForOtherReasons = false, unauthorizedHint } = request;
  const sent = {
    ...request,
    signal,
    deadline,
    hint: (httpStatus: number) => hintFor(token, tokenType, httpStatus, request),
    authorization: authorizationOf(token, tokenType),
    has401ForOtherReasons: has401ForOtherReasons ||
      (tokenType === "Bearer" && unauthorizedHint !== undefined),
  };
  const payload = await requestJson(sent, options, limits);
  const reported = { method: methodOf(request), path: shownPathOf(request) };
  return toModel(payload, createReport(onUnexpected, reported), options.cdnUrl);
}

/** Returns the `Authorization` header. */
export function authorizationOf({ token }: AccessToken, tokenType: TokenType): string {
  return `${tokenType} ${token}`;
}

/** Returns the key of a read among those with the same token. It has `cdnUrl`, since the models hold image URLs. */
export function readKeyOf({ operation, path, query }: AuthorizedRequest, cdnUrl: string): string {
  const parameters = query === undefined ? "" : ` ${JSON.stringify(query)}`;
  return `${cdnUrl} ${operation} ${path}${parameters}`;
}

/** Returns the hint for a request that the platform refused with 401, 403 or 404. */
function hintFor(
  token: AccessToken,
  tokenType: TokenType,
  httpStatus: number,
  { scope, unauthorizedHint, refusalHint }: AuthorizedRequest,
): string {
  if (httpStatus === 401) {
    const operationHint = tokenType === "Bearer" ? unauthorizedHint : undefined;
    return operationHint ?? tokenHint(token, tokenType, scope);
  }
  const andScope = scope === null ? "" : `, and has the scope ${scope}`;
  return refusalHint ?? `Check that the token may do this${andScope}`;
}

/** Returns the hint for a token that the platform rejects (401). */
function tokenHint(
  { token, expiresAt }: AccessToken,
  tokenType: TokenType,
  neededScope: string | null,
): string {
  if (tokenType === "Bot") {
    return isBotToken(token)
      ? "Check the bot token; resetting it in the Developer Portal under Bot ends the old one"
      : 'This does not have the form of a bot token: for the token of a login leave out tokenType: "Bot"';
  }
  if (isBotToken(token)) return 'This has the form of a bot token: pass tokenType: "Bot"';
  // JavaScript has no date before that, and toISOString() would throw.
  if (expiresAt !== null && expiresAt <= Date.now() && expiresAt > -8.64e15) {
    const when = new Date(expiresAt).toISOString();
    return `The token expired at ${when}: start a new login, or get a new token with the refresh token`;
  }
  const andScope = neededScope === null
    ? ""
    : `, and that the login asked for the scope ${neededScope}`;
  return `Check that the token is not expired or revoked${andScope}`;
}
