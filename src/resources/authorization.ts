/**
 * Reads the authorization behind a token: its application, its scopes and its user.
 *
 * @module
 */

import { application, type ApplicationObj } from "./application.ts";
import { readPayload, type Report } from "./reading.ts";
import { list, object, string } from "./shapes.ts";
import { user, type UserObj } from "./user.ts";

/**
 * The authorization behind a token: the application, the user and the scopes. A field that is missing or can't be read is `null`;
 * only `application` with its `id` is always there, since it identifies the application of the token.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#get-current-authorization-information | Get Current Authorization Information in the platform's documentation}
 */
export interface AuthorizationObj {
  /** The application of the token. */
  readonly application: ApplicationObj;
  /** The granted scopes. */
  readonly scopes: readonly string[] | null;
  /** The time at which the token expires, in ISO 8601. */
  readonly expires: string | null;
  /** The user who granted the scopes. Needs the `identify` scope. */
  readonly user: UserObj | null;
}

/** The shape of an authorization. @internal */
export const authorization = /* @__PURE__ */ object<AuthorizationObj>(
  { application },
  {
    scopes: /* @__PURE__ */ list(string),
    expires: string,
    user,
  },
);

/**
 * Reads the response to `GET /oauth2/@me`.
 *
 * @throws {PayloadError} If `application` or its `id` is missing or can't be read.
 */
export function toAuthorization(
  payload: unknown,
  report: Report,
  cdnUrl: string,
): AuthorizationObj {
  return readPayload("The authorization", authorization, payload, report, cdnUrl);
}
