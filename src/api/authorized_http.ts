/**
 * Sends requests with a token.
 *
 * @module
 */

import { throwBadArgument } from "../core/arguments.ts";
import { ApiError, TimeoutError } from "../core/errors.ts";
import { createHttp, type Http } from "../http/http.ts";
import { InFlight } from "../http/in_flight.ts";
import { checkClientOptionNames } from "../http/option_names.ts";
import { type CheckedOptions, checkOptions, type ClientOptions } from "../http/options.ts";
import { Queue } from "../http/queue.ts";
import { createReport } from "../http/report.ts";
import { type HttpRequest, methodOf, requestLineOf, shownPathOf } from "../http/request.ts";
import { Digests, keyedDigest } from "../http/keyed_digest.ts";
import { sharedReads } from "../http/shared_reads.ts";
import type { Report } from "../resources/reading.ts";
import type { TokenObj } from "../resources/token.ts";
import type { TokenSource } from "../tokens/token_source.ts";
import { type AccessToken, isBotToken, readAccessToken, requireScope } from "./access_token.ts";

/** Options of {@link AuthorizedHttp}. */
export interface AuthorizedOptions extends ClientOptions {
  /** `"Bot"` for a bot token. @default {"Bearer"} */
  readonly tokenType?: TokenType | null | undefined;
  /** The lifetime of a cached result, in seconds. @default {0} */
  readonly freshFor?: number | null | undefined;
}

const ownOptions = { tokenType: true, freshFor: true } satisfies Record<
  Exclude<keyof AuthorizedOptions, keyof ClientOptions>,
  true
>;

type TokenType = "Bearer" | "Bot";

/** A `TokenSource` or `ClientCredentials`. */
type Source = Pick<TokenSource, "token" | "renew">;

/** A request that is sent with a token. */
export interface AuthorizedRequest
  extends Omit<HttpRequest, "authorization" | "oauthHint" | "hint"> {
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

/** Sends requests with one token, or with the tokens of a source. */
export class AuthorizedHttp {
  readonly #options: CheckedOptions;
  readonly #freshFor: number;
  readonly #token: AccessToken | Source;
  readonly #tokenType: TokenType;
  readonly #digests: Digests = new Digests();
  readonly #http: Http;
  readonly #reads: InFlight = new InFlight();
  /** Counts the writes and fresh reads. A call after one of these does not share a read that began before it. */
  #generation = 0;
  readonly #onUnexpected: ClientOptions["onUnexpected"];

  /** @throws {TypeError} If an argument is wrong. The message names the argument, and never shows the token. */
  constructor(accessToken: string | TokenObj | Source, options: AuthorizedOptions) {
    this.#options = checkOptions(options);
    checkClientOptionNames(options, ownOptions);
    const { tokenType, freshFor, onUnexpected } = options;
    this.#tokenType = tokenType ?? "Bearer";
    this.#freshFor = freshFor ?? 0;
    if (!(Number.isFinite(this.#freshFor) && this.#freshFor >= 0)) {
      throwBadArgument("freshFor", "a number of seconds", freshFor);
    }
    if (!/^(Bearer|Bot)$/.test(this.#tokenType)) {
      throwBadArgument("tokenType", '"Bearer" or "Bot"', tokenType);
    }
    if (accessToken === null && tokenType !== "Bot") {
      throw new TypeError(
        "accessToken is null: a session of Login needs the option keepToken or store",
      );
    }
    if (!isSource(accessToken)) this.#token = readAccessToken(accessToken, tokenType);
    else if (tokenType !== "Bot") this.#token = accessToken;
    else {
      throw new TypeError(
        'accessToken is a TokenSource or ClientCredentials: leave out tokenType: "Bot"',
      );
    }
    const queue = new Queue(this.#options, this.#digests);
    this.#http = createHttp(this.#options, () => queue);
    this.#onUnexpected = onUnexpected;
  }

  /**
   * Sends a request, and reads its response. If the platform rejects the token of a source (401), the request is sent once more with
   * a new token. Concurrent calls of the same read get the same model, or the same error. With `freshFor`, later calls get the cached
   * model.
   *
   * @throws {MissingScopeError} Before the request is sent, if the token is known to lack the scope.
   * @throws {TypeError} Before the request is sent, if the operation needs a bot token.
   */
  async request<Model>(request: AuthorizedRequest, toModel: ToModel<Model>): Promise<Model> {
    const { operation, forBots, signal, fresh } = request;
    if (forBots && this.#tokenType !== "Bot") {
      throw new TypeError(`${operation} needs a bot: new User(botToken, { tokenType: "Bot" })`);
    }
    const timeout = request.timeout ?? this.#options.timeout;
    const isRead = methodOf(request) === "GET";
    if (isRead && fresh) this.#generation += 1;
    const key = keyOf(request);
    const call: Call<Model> = { request, toModel, timeout, readKey: isRead ? key : null };
    const model = isRead
      ? await this.#reads.share(
        `${this.#generation} ${timeout} ${key}`,
        signal,
        (shared) => this.#sendWithToken(call, shared),
      )
      : await this.#write(call, signal);
    // Callers may change their copies of a list. The entries are frozen.
    return Array.isArray(model) ? [...model] as Model : model;
  }

  /** Sends a write. A read that began before its end is not shared with a later call. */
  async #write<Model>(call: Call<Model>, signal: AbortSignal | null | undefined): Promise<Model> {
    try {
      return await this.#sendWithToken(call, signal);
    } finally {
      this.#generation += 1;
    }
  }

  /** @param signal The signal of the caller, or that of all callers who share the read. */
  #sendWithToken<Model>(
    call: Call<Model>,
    signal: AbortSignal | null | undefined,
  ): Promise<Model> {
    return isSource(this.#token)
      ? this.#sendWithSource(this.#token, call, signal)
      : this.#send(this.#token, call, signal, call.timeout);
  }

  async #sendWithSource<Model>(
    source: Source,
    call: Call<Model>,
    signal: AbortSignal | null | undefined,
  ): Promise<Model> {
    const { request, timeout } = call;
    const startedAt = performance.now();
    const timeLeft = (): number => {
      const left = timeout - Math.floor(performance.now() - startedAt);
      if (left > 0) return left;
      const line = requestLineOf(request, this.#options.apiUrl);
      throw new TimeoutError(
        `${line} was not sent: getting a token took the ${timeout} ms of its timeout`,
        { hint: "The token is saved; try again" },
      );
    };
    const token = await source.token({ signal, timeout });
    try {
      return await this.#send(readAccessToken(token), call, signal, timeLeft());
    } catch (error) {
      const isRefused = error instanceof ApiError && error.httpStatus === 401;
      if (!isRefused || request.unauthorizedHint !== undefined) throw error;
      const renewed = await source.renew(token, { signal, timeout: timeLeft() });
      if (renewed.access_token === token.access_token) throw error;
      return await this.#send(readAccessToken(renewed), call, signal, timeLeft());
    }
  }

  /** Sends a request, or returns a cached model, within a time limit in milliseconds. */
  async #send<Model>(
    token: AccessToken,
    call: Call<Model>,
    signal: AbortSignal | null | undefined,
    timeout: number,
  ): Promise<Model> {
    const { request, readKey } = call;
    const { operation, scope, tokenOfPerson, fresh } = request;
    if (scope !== null) requireScope(token, operation, scope);
    const authorization = `${this.#tokenType} ${token.token}`;
    const ask = (limit: number) => this.#ask(token, authorization, call, signal, limit);
    if (readKey === null) {
      const forget = () => {
        sharedReads.forget(this.#options, authorization);
        if (tokenOfPerson) sharedReads.forget(this.#options, `Bearer ${tokenOfPerson}`);
      };
      // On Workers, a request that is left may end without a trace: nothing would run after the write.
      forget();
      return await ask(timeout).finally(forget);
    }
    if (this.#freshFor === 0) return await ask(timeout);
    const { apiUrl, cdnUrl } = this.#options;
    const read = {
      tokenDigest: this.#digests.of(authorization),
      key: cacheKeyOf(request, cdnUrl),
      maxAgeMs: this.#freshFor * 1000,
      fresh: fresh === true,
      requestLine: requestLineOf(request, apiUrl),
      signal,
    };
    return await sharedReads.read({ ...this.#options, timeout }, read, ask);
  }

  /** Sends a request to the platform, within a time limit in milliseconds. */
  async #ask<Model>(
    token: AccessToken,
    authorization: string,
    { request, toModel }: Call<Model>,
    signal: AbortSignal | null | undefined,
    timeout: number,
  ): Promise<Model> {
    const { has401ForOtherReasons = false, unauthorizedHint } = request;
    const payload = await this.#http({
      ...request,
      signal,
      timeout,
      hint: (httpStatus) => hintFor(token, this.#tokenType, httpStatus, request),
      authorization,
      has401ForOtherReasons: has401ForOtherReasons ||
        (this.#tokenType === "Bearer" && unauthorizedHint !== undefined),
    });
    const reported = { method: methodOf(request), path: shownPathOf(request) };
    const report = createReport(this.#onUnexpected, reported);
    return toModel(payload, report, this.#options.cdnUrl);
  }
}

/** A call, with what it needs to be sent. */
interface Call<Model> {
  readonly request: AuthorizedRequest;
  readonly toModel: ToModel<Model>;
  /** The time limit in milliseconds, which includes the time for a token. */
  readonly timeout: number;
  /** Identifies the read among those of the client; `null` for a write. */
  readonly readKey: string | null;
}

/** Returns the key of a read of one client. */
function keyOf({ operation, path, query }: AuthorizedRequest): string {
  const parameters = query === undefined ? "" : ` ${JSON.stringify(query)}`;
  return `${operation} ${path}${parameters}`;
}

/** Returns the key of a read in the cache of the process. */
export function cacheKeyOf(request: AuthorizedRequest, cdnUrl: string): string {
  const key = keyOf(request);
  // The models hold image URLs. A path with a template may hold a token, which is not kept.
  return `${cdnUrl} ${request.template === undefined ? key : keyedDigest(key)}`;
}

/** Returns the hint for a request that the platform refused with 401, 403 or 404. */
export function hintFor(
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

/** Recognizes a source by its method, so that a bundle without sources does not include the class. */
function isSource(given: unknown): given is Source {
  return typeof Object(given).renew === "function";
}

/** Removes the cached models of a token whose data has changed. */
export function forgetModels(accessToken: string, options: ClientOptions): void {
  sharedReads.forget(checkOptions(options), `Bearer ${accessToken}`);
}
