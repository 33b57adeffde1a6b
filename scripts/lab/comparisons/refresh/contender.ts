/**
 * The interface of a way to keep a person's token alive, in an application that many callers use at once.
 *
 * @module
 */

/** The databases that all processes of an application share. */
export interface Shared {
  readonly redisUrl: string;
  /** The path of a database file. */
  readonly file: string;
}

/** The answer to one caller. */
export interface Answer {
  /** The access token, or `null` after an error. */
  readonly accessToken: string | null;
  /** The `Cookie` header of the browser's next request. */
  readonly browser: string;
}

/** An application in one process. */
export interface Application {
  /** Handles a request of the person that needs an access token. */
  call(browser: string): Promise<Answer>;
}

/** A way to keep a token alive. */
export interface Contender {
  /**
   * Logs a person in and returns the `Cookie` header of their browser.
   *
   * @param consent Opens a link, consents, and returns the callback.
   */
  logIn(shared: Shared, consent: (link: string) => Promise<string>): Promise<string>;
  /** Starts the application in a process of its own. */
  open(shared: Shared): Application | Promise<Application>;
}

/** The origin of the applications. Nothing listens there: requests are passed as objects. */
export const appOrigin = "https://app.example";

/** The secret of the applications. */
export const appSecret = "a secret of this comparison, long enough for it";
