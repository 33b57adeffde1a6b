/**
 * Sends requests with a token, and says what to do when the platform refuses it.
 *
 * @module
 */

import { refuse } from "../arguments.ts";
import { MissingScopeError } from "../errors.ts";
import { createRedactor } from "../redact.ts";
import { createHttp, type Http } from "./http/http.ts";
import type { ClientOptions } from "./http/options.ts";
import { type HttpRequest, methodOf } from "./http/request.ts";
import { createReport } from "./report.ts";
import type { Report } from "./resources/reading.ts";
import type { TokenObj } from "./resources/token.ts";
import { type KnownToken, readToken, unauthorizedHint } from "./token_form.ts";

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
   */
  async request<Model>(request: AuthorizedRequest, toModel: ToModel<Model>): Promise<Model> {
    const { operation, scope, ...rest } = request;
    if (scope !== null) this.#demand(operation, scope);
    const payload = await this.#http({
      hint: (httpStatus) => this.#hintFor(httpStatus, scope),
      ...rest,
      authorization: `${this.#tokenType} ${this.#token.token}`,
    });
    const reported = { method: methodOf(request), path: request.path };
    return toModel(payload, createReport(this.#onUnexpected, reported));
  }

  /** Throws when the token is known not to have a scope: the platform would answer with 401 and not say why. */
  #demand(operation: string, scope: string): void {
    const { scopes, token } = this.#token;
    const sufficient = [scope, ...(impliedBy[scope] ?? [])];
    if (scopes && !scopes.some((granted) => sufficient.includes(granted))) {
      // The list comes from an answer, which may repeat the token.
      const redact = createRedactor([token]);
      const granted = scopes.map((granted) => redact(String(granted)));
      throw new MissingScopeError(operation, { needed: [scope], granted });
    }
  }

  #hintFor(httpStatus: number, scope: string | null): string {
    if (httpStatus === 401) return unauthorizedHint(this.#token, this.#tokenType, scope);
    return `Check that the token may do this${
      scope === null ? "" : `, and has the scope ${scope}`
    }`;
  }
}

/** The scopes that grant another one too, without its name being among those of the token. */
const impliedBy: Readonly<Record<string, readonly string[]>> = {
  identify: ["sdk.social_layer", "sdk.social_layer_presence"],
};
