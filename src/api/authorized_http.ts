/**
 * Sends requests with a token, and says what to do when the platform refuses it.
 *
 * @module
 */

import { refuse } from "../core/arguments.ts";
import { ApiError } from "../core/errors.ts";
import { createHttp, type Http } from "../http/http.ts";
import { InFlight } from "../http/in_flight.ts";
import type { ClientOptions } from "../http/options.ts";
import { Queue } from "../http/queue.ts";
import { type HttpRequest, methodOf } from "../http/request.ts";
import { createReport } from "../http/report.ts";
import type { Report } from "../resources/reading.ts";
import type { TokenObj } from "../resources/token.ts";
import { type KnownToken, readToken, requireScope, unauthorizedHint } from "./access_token.ts";
import type { TokenSource } from "../tokens/token_source.ts";

/** Options of {@link AuthorizedHttp}. */
export interface AuthorizedOptions extends ClientOptions {
  /** `"Bot"` for a bot token. @default {"Bearer"} */
  readonly tokenType?: "Bearer" | "Bot" | null | undefined;
}

/** One request with a token. */
export interface AuthorizedRequest extends Omit<HttpRequest, "authorization" | "oauthHint"> {
  /** The method that was called, for errors, as in `getUserGuilds()`. */
  readonly operation: string;
  /** The scope it needs; `null` when any token will do. */
  readonly scope: string | null;
  /** Whether it is refused without the token of a bot. @default {false} */
  readonly forBots?: boolean;
  /** What to do about a refusal with 403 or 404, where the operation knows more than which scope it needs. */
  readonly refusalHint?: string;
}

/** Makes a model of the payload of an answer. */
export type ToModel<Model> = (payload: unknown, report: Report) => Model;

/** Sends requests with one token, or with those of a source. */
export class AuthorizedHttp {
  readonly #token: KnownToken | TokenSource;
  readonly #tokenType: "Bearer" | "Bot";
  readonly #http: Http;
  readonly #reads: InFlight = new InFlight();
  readonly #onUnexpected: ClientOptions["onUnexpected"];

  /**
   * Takes a token, or where to get one for each request.
   *
   * @throws {TypeError} When an argument is wrong, with its name. The token is never shown.
   */
  constructor(accessToken: string | TokenObj | TokenSource, options: AuthorizedOptions) {
    const tokenType = options.tokenType ?? "Bearer";
    if (tokenType !== "Bearer" && tokenType !== "Bot") {
      refuse("tokenType", '"Bearer" or "Bot"', tokenType);
    }
    this.#tokenType = tokenType;
    if (accessToken === null && tokenType === "Bearer") {
      throw new TypeError(
        "accessToken is null: a session of Login has a token with the option keepToken or store only",
      );
    }
    if (isSource(accessToken) && tokenType === "Bot") {
      throw new TypeError(
        'accessToken is a TokenSource, whose tokens are of a login: leave out tokenType: "Bot"',
      );
    }
    this.#token = isSource(accessToken) ? accessToken : readToken(accessToken, options.tokenType);
    this.#http = createHttp(options, new Queue());
    this.#onUnexpected = options.onUnexpected;
  }

  /**
   * Sends a request, and reads its answer. When the platform does not accept the token of a source, it is sent once more with a
   * new one. Who asks for what is being read already gets the same model, or the same error.
   *
   * @throws {MissingScopeError} Before the request is sent, when the token is known not to have the scope.
   * @throws {TypeError} Before the request is sent, when it needs the token of a bot.
   */
  async request<Model>(request: AuthorizedRequest, toModel: ToModel<Model>): Promise<Model> {
    const { operation, forBots = false, path, query, signal } = request;
    if (forBots && this.#tokenType !== "Bot") {
      throw new TypeError(`${operation} needs a bot: new User(botToken, { tokenType: "Bot" })`);
    }
    if (methodOf(request) !== "GET") return await this.#sendWithToken(request, toModel);
    const key = JSON.stringify([operation, path, query]);
    const model = await this.#reads.share(
      key,
      signal,
      (shared) => this.#sendWithToken({ ...request, signal: shared }, toModel),
    );
    return ownListOf(model);
  }

  async #sendWithToken<Model>(
    request: AuthorizedRequest,
    toModel: ToModel<Model>,
  ): Promise<Model> {
    if (!isSource(this.#token)) return await this.#send(this.#token, request, toModel);
    const { signal } = request;
    const token = await this.#token.token({ signal });
    try {
      return await this.#send(readToken(token), request, toModel);
    } catch (error) {
      if (!(error instanceof ApiError && error.httpStatus === 401)) throw error;
      const renewed = await this.#token.renew(token, { signal });
      if (renewed.access_token === token.access_token) throw error;
      return await this.#send(readToken(renewed), request, toModel);
    }
  }

  async #send<Model>(
    token: KnownToken,
    request: AuthorizedRequest,
    toModel: ToModel<Model>,
  ): Promise<Model> {
    const { operation, scope, forBots: _, refusalHint, ...rest } = request;
    if (scope !== null) requireScope(token, operation, scope);
    const payload = await this.#http({
      hint: (httpStatus) => this.#hintFor(token, httpStatus, scope, refusalHint),
      ...rest,
      authorization: `${this.#tokenType} ${token.token}`,
    });
    const reported = { method: methodOf(request), path: request.path };
    return toModel(payload, createReport(this.#onUnexpected, reported));
  }

  #hintFor(
    token: KnownToken,
    httpStatus: number,
    scope: string | null,
    refusalHint: string | undefined,
  ): string {
    if (httpStatus === 401) return unauthorizedHint(token, this.#tokenType, scope);
    const andScope = scope === null ? "" : `, and has the scope ${scope}`;
    return refusalHint ?? `Check that the token may do this${andScope}`;
  }
}

/** By its methods, so that whoever uses no source does not download one. */
function isSource(given: unknown): given is TokenSource {
  return typeof Object(given).renew === "function";
}

/** A list for one caller alone, who may change it, since only its entries are frozen. */
function ownListOf<Model>(model: Model): Model {
  return Array.isArray(model) ? [...model] as Model : model;
}
