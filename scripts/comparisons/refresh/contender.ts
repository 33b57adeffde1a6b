/**
 * What is compared: ways to keep a person's token alive, each in an application that many callers use at once.
 *
 * @module
 */

/** What all processes of an application share. */
export interface Shared {
  readonly redisUrl: string;
  /** The file of a database. */
  readonly file: string;
}

/** What one caller got. */
export interface Answer {
  /** The access token, or `null` when there was an error. */
  readonly accessToken: string | null;
  /** What the person's browser sends with its next request. */
  readonly browser: string;
}

/** An application in one process. */
export interface Application {
  /** A request of the person, whose handler needs an access token. */
  call(browser: string): Promise<Answer>;
}

/** A way to keep a token alive. */
export interface Contender {
  /**
   * Lets a person log in, and gives what their browser sends from then on.
   *
   * @param consent Opens a link as a person does who consents, and gives where the browser is sent.
   */
  logIn(shared: Shared, consent: (link: string) => Promise<string>): Promise<string>;
  /** Starts the application in a process of its own. */
  open(shared: Shared): Application | Promise<Application>;
}

/** Where the applications are. Nothing listens there: requests are handed over. */
export const appOrigin = "https://app.example";

/** A secret of the applications. */
export const appSecret = "a secret of this comparison, long enough for it";
