/**
 * The JSON that the server of a session sends.
 *
 * @module
 */

import type { PublicSession } from "../login/mod.ts";
import type { EnteredActivity } from "./app_login.ts";

/** JSON of the server about an error. */
export interface Refusal {
  readonly error?: unknown;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** The response to `finish`. */
export type Finished<User> = EnteredActivity<User> & { readonly token: string };

/** Reads the JSON of a response. Returns `undefined` for anything else. The response can be read again. */
export async function jsonOf<Body = PublicSession<unknown> & Refusal>(
  response: Response,
): Promise<Body | null | undefined> {
  if (response.headers.get("content-type")?.includes("json")) {
    return await response.clone().json().catch(() => {});
  }
  return undefined;
}
