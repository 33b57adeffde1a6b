/**
 * Calls the fetch handler of an application, and checks what it returns.
 *
 * @module
 */

import { describeType, throwWrongType } from "../world/schema.ts";

/** @throws {TypeError} If the handler is not a function, for example a `Login` instead of its `handle`. */
export function assertHandler(handler: unknown): void {
  if (typeof handler === "function") return;
  throwWrongType("a function, as in (request) => login.handle(request)", handler, "handler");
}

/**
 * Returns the handler's response to a request.
 *
 * @throws {Error} If the handler returns `null`.
 * @throws {TypeError} If the handler returns anything else that is not a response.
 */
export async function responseOf(
  handler: (request: Request) => unknown,
  request: Request,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const returned = await handler(request);
  if (returned === null) throw new Error(`the handler returned no response for ${pathname}`);
  // The response may have the class of a package, not that of the runtime.
  if (typeof Object(returned).headers?.getSetCookie === "function") return returned as Response;
  const hint = returned === undefined ? "; is a return missing?" : "";
  throw new TypeError(
    `the handler must return a Response for ${pathname}, received ${describeType(returned)}${hint}`,
  );
}
