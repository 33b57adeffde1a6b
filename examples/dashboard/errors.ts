/** The page for each error outside a login, which has pages of its own. @module */

import { ApiError, GuildpassError, LoginError, LoginRequiredError } from "@guildpass/sdk";
import { WebhookSignatureError } from "@guildpass/sdk/webhook-events";
import { notice } from "./pages.ts";

/** Renders an error for the visitor. */
export function errorPage(error: unknown): Response {
  if (error instanceof WebhookSignatureError) return new Response(null, { status: 401 });
  if (endsLogin(error)) return endedPage();
  console.error(error);
  if (error instanceof LoginError) return notice(400, "Not here", "Open the address of this site");
  if (isTemporary(error)) {
    const seconds = error.retryAfter && Math.ceil(error.retryAfter);
    const text = seconds ? `Try again in ${seconds} seconds` : "Try again in a moment";
    const response = notice(503, "Discord is busy", text);
    if (seconds) response.headers.set("retry-after", String(seconds));
    return response;
  }
  const status = error instanceof GuildpassError ? 502 : 500;
  return notice(status, "Something went wrong", "It isn't your fault. Try again later");
}

/** Returns true if the same request may succeed later. */
export const isTemporary = (error: unknown): error is GuildpassError =>
  error instanceof GuildpassError && error.isTemporary;

/** Returns true if only a new login brings a token that works. */
export const endsLogin = (error: unknown): boolean =>
  error instanceof LoginRequiredError || (error instanceof ApiError && error.httpStatus === 401);

/** Offers a new login. */
export const endedPage = (): Response => notice(401, "You were logged out", "Log in again");
