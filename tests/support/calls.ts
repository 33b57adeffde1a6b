/**
 * A request with retries, a request without them, and responders for both.
 *
 * @module
 */

import {
  type ClientOptions,
  NetworkError,
  PlatformApi,
  type TokenObj,
  User,
  type UserObj,
} from "../../mod.ts";
import { createFakePlatform } from "../../src/testing/mod.ts";
import { type Responder, respondWith } from "./responders.ts";

/** Sends a `GET`. It is retried. */
export function getUser(options: ClientOptions, signal?: AbortSignal): Promise<UserObj> {
  return new User("t0ken", options).getCurrentUser({ signal });
}

/** Sends a `POST`. It is not retried. */
export function exchangeCode(options: ClientOptions, signal?: AbortSignal): Promise<TokenObj> {
  return new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options)
    .accessToken("c0de", { signal });
}

/** Responds to `read()` with a user. */
export const respondWithUser: Responder = respondWith({
  id: "1000000000000000001",
  username: "ada",
});

export const respondUnavailable: Responder = respondWith(
  { message: "503: Service Unavailable", code: 0 },
  { status: 503 },
);

/** Responds with a cut body. */
export const respondCut: Responder = async (): Promise<Response> => {
  const fake = createFakePlatform();
  fake.failNext({ cut: "body" });
  return await fake.fetch(`${fake.platform.apiUrl}/oauth2/keys`);
};

/** Returns an object that throws itself on every access. */
export function hostileObject(): object {
  function fail(): never {
    throw thrower;
  }
  const thrower: object = new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail });
  return thrower;
}

/** Returns the message of a call's `NetworkError`. Any other error is only described, since reading it may throw. */
export async function networkErrorMessage(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "nothing was thrown";
  } catch (error) {
    try {
      return error instanceof NetworkError ? error.message : "another error";
    } catch {
      return "what is hostile";
    }
  }
}
