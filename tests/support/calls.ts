/**
 * The two kinds of requests: one that is repeated, and one that is not.
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
import { type Answer, saying } from "./answers.ts";

/** A `GET`, which is repeated. */
export function read(options: ClientOptions, signal?: AbortSignal): Promise<UserObj> {
  return new User("t0ken", options).getCurrentUser({ signal });
}

/** A `POST`, which is not. */
export function exchange(options: ClientOptions, signal?: AbortSignal): Promise<TokenObj> {
  return new PlatformApi("1", "s3cret", ["identify"], "https://app.example/", options)
    .accessToken("c0de", { signal });
}

/** What satisfies `read()`. */
export const yes: Answer = saying({ id: "1000000000000000001", username: "ada" });

export const unavailable: Answer = saying(
  { message: "503: Service Unavailable", code: 0 },
  { status: 503 },
);

/** An answer whose connection is cut in the middle. */
export const cut: Answer = async (): Promise<Response> => {
  const fake = createFakePlatform();
  fake.failNext({ cut: "body" });
  return await fake.fetch(`${fake.platform.apiUrl}/oauth2/keys`);
};

/** What throws itself, whatever is done to it. */
export function hostile(): object {
  function fail(): never {
    throw thrower;
  }
  const thrower: object = new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail });
  return thrower;
}

/** What the `NetworkError` says that a call throws; anything else is not handed on, as looking at it may throw. */
export async function messageOf(call: () => Promise<unknown>): Promise<string> {
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
