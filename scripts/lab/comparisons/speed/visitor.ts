/**
 * Visits a Worker with a login as a browser does, and keeps its cookies.
 *
 * @module
 */

import { type Answer, HttpConnection } from "./http_connection.ts";

/** The request of a callback: its path, and its cookies. */
export interface PreparedRequest {
  readonly path: string;
  readonly cookie: string;
}

/** A person with a browser. */
export class Visitor {
  readonly #connection: HttpConnection;
  readonly #number: number;
  readonly #cookies = new Map<string, string>();

  /** @param number The number of the person on the platform. */
  constructor(connection: HttpConnection, number: number) {
    this.#connection = connection;
    this.#number = number;
  }

  /** Begins a login, consents, and returns the request that leads back to the Worker. */
  async begin(): Promise<PreparedRequest> {
    const consent = new URL(await this.#redirectOf(startPath));
    const state = consent.searchParams.get("state");
    return this.#prepared(`/callback?code=code-${this.#number}&state=${state}`);
  }

  /**
   * Logs in, and returns the request of the first page with the session.
   *
   * @throws {Error} If the login does not end at the page where it began.
   */
  async logIn(): Promise<PreparedRequest> {
    const { path } = await this.begin();
    const page = await this.#redirectOf(path);
    if (page !== "https://app.example/shop") {
      throw new Error(`The login of person ${this.#number} ended at ${page}`);
    }
    return this.#prepared("/shop");
  }

  /**
   * Logs in, and opens the first page with the session.
   *
   * @throws {Error} If the page at the end does not greet that person.
   */
  async logInAndVisit(): Promise<void> {
    const { path, cookie } = await this.logIn();
    const { body } = await this.#connection.get(path, cookie);
    if (body !== `Hello, person_${this.#number}`) {
      throw new Error(`The page of person ${this.#number} says ${body}`);
    }
  }

  /** Opens a page, keeps its cookies, and returns the address that it redirects to. */
  async #redirectOf(path: string): Promise<string> {
    const answer = await this.#connection.get(path, this.#prepared(path).cookie);
    for (const header of answer.headers.get("set-cookie") ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return locationOf(path, answer);
  }

  #prepared(path: string): PreparedRequest {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { path, cookie };
  }
}

/** The request that begins a login. */
export const startPath = "/login?returnTo=/shop";

/** Returns the address of a redirect. */
export function locationOf(path: string, { status, headers, body }: Answer): string {
  const [location] = headers.get("location") ?? [];
  if (location === undefined) throw new Error(`${path} was answered with ${status}: ${body}`);
  return location;
}
