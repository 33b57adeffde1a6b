/**
 * Sends requests with a token: gets the token from its source, shares and caches reads, and creates the models of responses.
 *
 * @module
 */

import { nameOrKind, throwBadNumber, throwBadValue } from "../core/arguments.ts";
import { withCallerInStack } from "../core/errors.ts";
import { type Deadline, deadlineIn, timeLeft } from "../core/wait.ts";
import { ApiError, TimeoutError } from "../core/response_errors.ts";
import {
  checkClientOptionNames,
  type CheckedOptions,
  checkOptions,
  type ClientOptions,
  createReport,
  type NamesOf,
} from "../http/options.ts";
import { type HttpRequest, requestLineOf, shownPathOf } from "../http/request.ts";
import { sharedReads } from "./shared_reads.ts";
import type { TokenObj } from "../resources/token.ts";
import type { TokenSource } from "../tokens/token_source.ts";
import { type AccessToken, isBotToken, readAccessToken, requireScope } from "./access_token.ts";
import type { Limit } from "../http/limits/call.ts";
import { edgeBlock } from "../http/limits/pause.ts";
import { type PlatformState, platformState } from "../http/limits/platform_state.ts";
import { Queue } from "../http/limits/queue.ts";
import { refusedToken } from "../http/limits/refused_token.ts";
import { requestJson } from "../http/send.ts";
import type { Report } from "../resources/reading.ts";

/** Options of {@link AuthorizedHttp}. */
export interface AuthorizedOptions extends ClientOptions {
  /** `"Bot"` for a bot token. @default {"Bearer"} */
  readonly tokenType?: TokenType | null | undefined;
  /** The lifetime of a cached result, in seconds. @default {0} */
  readonly freshFor?: number | null | undefined;
}

const ownOptions: NamesOf<AuthorizedOptions, ClientOptions> = { tokenType: true, freshFor: true };

/** A `TokenSource` or `ClientCredentials`. */
type Source = Pick<TokenSource, "token" | "renew">;

/** Sends requests with one token, or with the tokens of a source. */
export class AuthorizedHttp {
  readonly #options: CheckedOptions;
  readonly #onUnexpected: ClientOptions["onUnexpected"];
  readonly #tokenType: TokenType;
  readonly #limits: readonly Limit[];
  readonly #freshFor: number;
  readonly #token: AccessToken | Source;

  /** @throws {TypeError} If an argument is wrong. The message names the argument, and never shows the token. */
  constructor(
    accessToken: string | Pick<TokenObj, "access_token"> | Source,
    options: AuthorizedOptions,
  ) {
    const { tokenType, freshFor } = options;
    this.#options = checkOptions(options);
    checkClientOptionNames(options, ownOptions);
    this.#onUnexpected = options.onUnexpected;
    this.#tokenType = tokenType ?? "Bearer";
    this.#limits = [refusedToken, new Queue(), edgeBlock];
    this.#freshFor = freshFor ?? 0;
    if (!(Number.isFinite(this.#freshFor) && this.#freshFor >= 0)) {
      throwBadNumber("freshFor", "a number of seconds", freshFor);
    }
    if (tokenType != null && tokenType !== "Bearer" && tokenType !== "Bot") {
      throwBadValue("tokenType", '"Bearer" or "Bot"', nameOrKind(tokenType));
    }
    if (accessToken === null && tokenType !== "Bot") {
      throw new TypeError(
        "accessToken is null: a Login session has a token only with keepToken or store",
      );
    }
    if (!isSource(accessToken)) this.#token = readAccessToken(accessToken, tokenType);
    else if (tokenType !== "Bot") this.#token = accessToken;
    else {
      throw new TypeError(
        'accessToken is a TokenSource or ClientCredentials: omit tokenType: "Bot"',
      );
    }
  }

  /**
   * Sends a request, and reads its response. If Discord rejects the token of a source (401), the request is sent once more with
   * a new token. Concurrent calls of the same read share one request. With `freshFor`, later calls get the cached model.
   *
   * @throws {MissingScopeError} Before the request is sent, if the token is known to lack the scope.
   * @throws {TypeError} Before the request is sent, if the operation needs a bot token.
   */
  async request<Model>(request: AuthorizedRequest, toModel: ToModel<Model>): Promise<Model> {
    const { operation, forBots } = request;
    if (forBots && this.#tokenType !== "Bot") {
      throw new TypeError(
        `${operation} needs a bot token: new User(botToken, { tokenType: "Bot" })`,
      );
    }
    const deadline = deadlineIn(request.timeout ?? this.#options.timeout);
    const platform = platformState(this.#options);
    const call: Call<Model> = { request, toModel, platform, deadline };
    try {
      const model = isSource(this.#token)
        ? await this.#sendWithSource(this.#token, call)
        : await this.#send(this.#token, call);
      // Callers may change their copies of a list. The entries are frozen.
      return Array.isArray(model) ? [...model] as Model : model;
    } catch (error) {
      throw withCallerInStack(error);
    }
  }

  async #sendWithSource<Model>(source: Source, call: Call<Model>): Promise<Model> {
    const { request, deadline } = call;
    const { signal } = request;
    const token = await source.token({ signal, timeout: timeLeft(deadline) });
    try {
      return await this.#send(readAccessToken(token), call);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.httpStatus === 401;
      if (!isRefused || request.unauthorizedHint !== undefined) throw error;
      this.#throwIfLate(call);
      const renewed = await source.renew(token, { signal, timeout: timeLeft(deadline) });
      if (renewed.access_token === token.access_token) throw error;
      return await this.#send(readAccessToken(renewed), call);
    }
  }

  /** @throws {TimeoutError} If the time of the call is over before its request is sent. */
  #throwIfLate<Model>({ request, deadline }: Call<Model>): void {
    if (timeLeft(deadline) > 0) return;
    const line = requestLineOf(request, this.#options.apiUrl);
    throw new TimeoutError(
      `${line} was not sent: getting a token used up its timeout of ${deadline.timeout} ms`,
      { hint: "The token is saved; try again" },
    );
  }

  /** Sends a request, or returns a cached model. */
  async #send<Model>(token: AccessToken, call: Call<Model>): Promise<Model> {
    const { request, platform, deadline } = call;
    const { operation, scope, tokenOfPerson, fresh, signal } = request;
    if (scope !== null) requireScope(token, operation, scope);
    const options = this.#options;
    const authorization = `${this.#tokenType} ${token.token}`;
    const ask = (signal: AbortSignal | null | undefined) =>
      this.#ask(token, authorization, call, signal);
    this.#throwIfLate(call);
    if (request.method !== "GET") {
      const forget = () => {
        sharedReads.forget(platform, authorization);
        if (tokenOfPerson) sharedReads.forget(platform, `Bearer ${tokenOfPerson}`);
      };
      // On Workers, a request that is left may end without a trace: nothing would run after the write.
      forget();
      return await ask(signal).finally(forget);
    }
    const read = {
      authorization,
      key: readKeyOf(request, options.cdnUrl),
      maxAgeMs: this.#freshFor * 1000,
      fresh: fresh === true,
      requestLine: requestLineOf(request, options.apiUrl),
      deadline,
      signal,
    };
    return await sharedReads.read(platform, read, ask);
  }

  /**
   * Sends a request to Discord, and returns the model of its response.
   *
   * @param signal The signal of the caller, or that of all callers who share the read.
   */
  async #ask<Model>(
    token: AccessToken,
    authorization: string,
    { request, toModel, platform, deadline }: Call<Model>,
    signal: AbortSignal | null | undefined,
  ): Promise<Model> {
    const tokenType = this.#tokenType;
    const { has401ForOtherReasons = false, unauthorizedHint } = request;
    const sent = {
      ...request,
      signal,
      deadline,
      hint: (httpStatus: number) => hintFor(token, tokenType, httpStatus, request),
      authorization,
      has401ForOtherReasons: has401ForOtherReasons ||
        (tokenType === "Bearer" && unauthorizedHint !== undefined),
    };
    const payload = await requestJson(sent, this.#options, platform, this.#limits);
    const reported = { method: request.method, path: shownPathOf(request) };
    return toModel(payload, createReport(this.#onUnexpected, reported), this.#options.cdnUrl);
  }
}

/** A call that can be sent. */
interface Call<Model> {
  readonly request: AuthorizedRequest;
  readonly toModel: ToModel<Model>;
  readonly platform: PlatformState;
  /** The deadline, which includes the time for a token. */
  readonly deadline: Deadline;
}

/** Recognizes a source by its method, so that a bundle without sources does not include the class. */
function isSource(given: unknown): given is Source {
  return typeof Object(given).renew === "function";
}

/** Removes the cached models of a token whose data has changed. */
export function forgetModels(accessToken: string, options: ClientOptions): void {
  sharedReads.forget(platformState(checkOptions(options)), `Bearer ${accessToken}`);
}

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
  /** The hint for a 403 or 404, instead of the hint to check the scope. */
  readonly refusalHint?: string;
  /** The access token of a person, for the request of a bot. */
  readonly tokenOfPerson?: string | undefined;
  /** True to skip the cache and the reads under way. @default {false} */
  readonly fresh?: boolean | null | undefined;
}

/** Creates a model from the payload of a response. */
export type ToModel<Model> = (payload: unknown, report: Report, cdnUrl: string) => Model;

/** Returns the key of a read among those with the same token. It has `cdnUrl`, since the models hold image URLs. */
function readKeyOf({ operation, path, query }: AuthorizedRequest, cdnUrl: string): string {
  const parameters = query === undefined ? "" : ` ${JSON.stringify(query)}`;
  return `${cdnUrl} ${operation} ${path}${parameters}`;
}

/** Returns the hint for a request that Discord refused with 401, 403 or 404. */
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

/** Returns the hint for a token that Discord rejects (401). */
function tokenHint(
  { token, expiresAt }: AccessToken,
  tokenType: TokenType,
  neededScope: string | null,
): string {
  if (tokenType === "Bot") {
    return isBotToken(token)
      ? "Check the bot token; a reset in the Developer Portal under Bot invalidates the old one"
      : 'This does not look like a bot token: for a login token, omit tokenType: "Bot"';
  }
  if (isBotToken(token)) return 'This looks like a bot token: pass tokenType: "Bot"';
  // JavaScript has no date before that, and toISOString() would throw.
  if (expiresAt !== null && expiresAt <= Date.now() && expiresAt > -8.64e15) {
    const when = new Date(expiresAt).toISOString();
    return `The token expired at ${when}: refresh it, or start a new login`;
  }
  const andScope = neededScope === null
    ? ""
    : `, and that the login asked for the scope ${neededScope}`;
  return `Check that the token has not expired or been revoked${andScope}`;
}
