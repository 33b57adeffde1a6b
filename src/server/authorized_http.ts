/**
 * Sends requests with a token, and says what to do when the platform refuses it.
 *
 * @module
 */

import { refuse } from "../arguments.ts";
import { createHttp, type Http } from "./http/http.ts";
import type { ClientOptions } from "./http/options.ts";
import { type HttpRequest, methodOf } from "./http/request.ts";
import { createReport } from "./report.ts";
import type { Report } from "./resources/reading.ts";
import type { TokenObj } from "./resources/token.ts";
import { type KnownToken, readToken, requireScope, unauthorizedHint } from "./token_form.ts";

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

/** Sends requests with one token. */
export class AuthorizedHttp {
  readonly #token: KnownToken;
  readonly #tokenType: "Bearer" | "Bot";
  readonly #http: Http;
  readonly #onUnexpected: ClientOptions["onUnexpected"];

  /**
   * Takes a token.
   *
   * @throws {TypeError} When an argument is wrong, with its name. The token is never shown.
   */
  constructor(accessToken: string | TokenObj, options: AuthorizedOptions) {
    const tokenType = options.tokenType ?? "Bearer";
    if (tokenType !== "Bearer" && tokenType !== "Bot") {
      refuse("tokenType", '"Bearer" or "Bot"', tokenType);
    }
    this.#tokenType = tokenType;
    this.#token = readToken(accessToken, options.tokenType);
    this.#http = createHttp(options);
    this.#onUnexpected = options.onUnexpected;
  }

  /**
   * Sends a request, and reads its answer.
   *
   * @throws {MissingScopeError} Before the request is sent, when the token is known not to have the scope.
   * @throws {TypeError} Before the request is sent, when it needs the token of a bot.
   */
  async request<Model>(request: AuthorizedRequest, toModel: ToModel<Model>): Promise<Model> {
    const { operation, scope, forBots = false, refusalHint, ...rest } = request;
    if (scope !== null) requireScope(this.#token, operation, scope);
    if (forBots && this.#tokenType !== "Bot") {
      throw new TypeError(`${operation} needs a bot: new User(botToken, { tokenType: "Bot" })`);
    }
    const payload = await this.#http({
      hint: (httpStatus) => this.#hintFor(httpStatus, scope, refusalHint),
      ...rest,
      authorization: `${this.#tokenType} ${this.#token.token}`,
    });
    const reported = { method: methodOf(request), path: request.path };
    return toModel(payload, createReport(this.#onUnexpected, reported));
  }

  #hintFor(httpStatus: number, scope: string | null, refusalHint: string | undefined): string {
    if (httpStatus === 401) return unauthorizedHint(this.#token, this.#tokenType, scope);
    const andScope = scope === null ? "" : `, and has the scope ${scope}`;
    return refusalHint ?? `Check that the token may do this${andScope}`;
  }
}
