/**
 * Shares and caches the reads with a token, and gets the token from its source.
 *
 * @module
 */

import { throwBadArgument, throwBadNumber } from "../core/arguments.ts";
import { type Deadline, deadlineIn, timeLeft } from "../core/wait.ts";
import { ApiError, TimeoutError } from "../core/errors.ts";
import { checkClientOptionNames, checkOptions, type ClientOptions } from "../http/options.ts";
import { methodOf, requestLineOf } from "../http/request.ts";
import { sharedReads } from "./shared_reads.ts";
import type { TokenObj } from "../resources/token.ts";
import type { TokenSource } from "../tokens/token_source.ts";
import { type AccessToken, readAccessToken, requireScope } from "./access_token.ts";
import {
  authorizationOf,
  type AuthorizedClient,
  type AuthorizedRequest,
  createAuthorizedClient,
  readKeyOf,
  requestModel,
  type TokenType,
  type ToModel,
} from "./authorized_client.ts";

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

/** A `TokenSource` or `ClientCredentials`. */
type Source = Pick<TokenSource, "token" | "renew">;

/** Sends requests with one token, or with the tokens of a source. */
export class AuthorizedHttp {
  readonly #client: AuthorizedClient;
  readonly #freshFor: number;
  readonly #token: AccessToken | Source;

  /** @throws {TypeError} If an argument is wrong. The message names the argument, and never shows the token. */
  constructor(accessToken: string | TokenObj | Source, options: AuthorizedOptions) {
    const { tokenType, freshFor } = options;
    this.#client = createAuthorizedClient(options, tokenType ?? "Bearer");
    checkClientOptionNames(options, ownOptions);
    this.#freshFor = freshFor ?? 0;
    if (!(Number.isFinite(this.#freshFor) && this.#freshFor >= 0)) {
      throwBadNumber("freshFor", "a number of seconds", freshFor);
    }
    if (tokenType != null && tokenType !== "Bearer" && tokenType !== "Bot") {
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
  }

  /**
   * Sends a request, and reads its response. If the platform rejects the token of a source (401), the request is sent once more with
   * a new token. Concurrent calls of the same read share one request. With `freshFor`, later calls get the cached model.
   *
   * @throws {MissingScopeError} Before the request is sent, if the token is known to lack the scope.
   * @throws {TypeError} Before the request is sent, if the operation needs a bot token.
   */
  async request<Model>(request: AuthorizedRequest, toModel: ToModel<Model>): Promise<Model> {
    const { operation, forBots } = request;
    const { tokenType, options } = this.#client;
    if (forBots && tokenType !== "Bot") {
      throw new TypeError(`${operation} needs a bot: new User(botToken, { tokenType: "Bot" })`);
    }
    const deadline = deadlineIn(request.timeout ?? options.timeout);
    const call: Call<Model> = { request, toModel, deadline };
    const model = isSource(this.#token)
      ? await this.#sendWithSource(this.#token, call)
      : await this.#send(this.#token, call);
    // Callers may change their copies of a list. The entries are frozen.
    return Array.isArray(model) ? [...model] as Model : model;
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
    const line = requestLineOf(request, this.#client.options.apiUrl);
    throw new TimeoutError(
      `${line} was not sent: getting a token took the ${deadline.timeout} ms of its timeout`,
      { hint: "The token is saved; try again" },
    );
  }

  /** Sends a request, or returns a cached model. */
  async #send<Model>(
    token: AccessToken,
    call: Call<Model>,
  ): Promise<Model> {
    const { request, toModel, deadline } = call;
    const { operation, scope, tokenOfPerson, fresh, signal } = request;
    if (scope !== null) requireScope(token, operation, scope);
    const { options, tokenType } = this.#client;
    const authorization = authorizationOf(token, tokenType);
    const ask = (signal: AbortSignal | null | undefined) =>
      requestModel(this.#client, token, request, toModel, signal, deadline);
    this.#throwIfLate(call);
    if (methodOf(request) !== "GET") {
      const forget = () => {
        sharedReads.forget(options, authorization);
        if (tokenOfPerson) sharedReads.forget(options, `Bearer ${tokenOfPerson}`);
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
    return await sharedReads.read(options, read, ask);
  }
}

/** A call, with what it needs to be sent. */
interface Call<Model> {
  readonly request: AuthorizedRequest;
  readonly toModel: ToModel<Model>;
  /** The deadline, which includes the time for a token. */
  readonly deadline: Deadline;
}

/** Recognizes a source by its method, so that a bundle without sources does not include the class. */
function isSource(given: unknown): given is Source {
  return typeof Object(given).renew === "function";
}

/** Removes the cached models of a token whose data has changed. */
export function forgetModels(accessToken: string, options: ClientOptions): void {
  sharedReads.forget(checkOptions(options), `Bearer ${accessToken}`);
}
