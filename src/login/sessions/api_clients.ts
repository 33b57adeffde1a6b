/**
 * The API clients of a login: the code that sends requests to Discord. All have the options of the login.
 *
 * @module
 */

import { forgetModels } from "../../api/authorized_http.ts";
import { TokenClient } from "../../api/token_client.ts";
import { User } from "../../api/user.ts";
import {
  type CheckedOptions,
  checkedOptions,
  checkOptions,
  type ClientOptionsOfLogin,
} from "../../http/options.ts";
import type { TokenObj } from "../../resources/token.ts";
import type { TokenSource } from "../../tokens/token_source.ts";
import { heldRequestObserver, type ReportEvent } from "../base/events.ts";
import type { CheckedLoginOptions } from "../site/checked_options.ts";

/** Creates the API clients of one login. */
export class ApiClients {
  readonly #options: CheckedLoginOptions;
  readonly #report: ReportEvent | null;
  readonly #checked: CheckedOptions;
  /** The client of the token endpoint. */
  readonly tokens: TokenClient;

  /**
   * @param report `null` without the option `onEvent`.
   * @throws {TypeError} If an option of the clients is wrong.
   */
  constructor(options: CheckedLoginOptions, report: ReportEvent | null) {
    this.#options = options;
    this.#report = report;
    this.#checked = checkOptions(options);
    const { clientId, clientSecret, scope } = options;
    // Each exchange names its own redirect URI.
    this.tokens = new TokenClient(clientId, clientSecret, scope, null, this.options());
  }

  /**
   * Returns an API client for a token.
   *
   * @param userId The id of the token's person, or `null` if it is not known.
   */
  user(token: TokenObj | TokenSource, userId: string | null): User {
    return new User(token, { ...this.options(userId), freshFor: this.#options.freshFor });
  }

  /** Removes the cached responses to requests with a token. */
  forgetModels({ access_token: accessToken }: TokenObj): void {
    forgetModels(accessToken, this.options());
  }

  /**
   * Returns the options of a client.
   *
   * @param userId The person of the requests, or `null`.
   */
  options(userId: string | null = null): ClientOptionsOfLogin {
    return {
      onUnexpected: this.#options.onUnexpected,
      [checkedOptions]: { ...this.#checked, observer: heldRequestObserver(this.#report, userId) },
    };
  }
}
