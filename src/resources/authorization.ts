/**
 * The authorization behind a token.
 *
 * @module
 */

import {
  application,
  type ApplicationObj,
  type SentApplication,
  withBotAvatarUrl,
} from "./application.ts";
import { freeze, readAnswer, type Report } from "./reading.ts";
import { list, object, optional, required, string } from "./shapes.ts";
import { user, type UserObj, type WithSentUser, withUserAvatarUrl } from "./user.ts";

/**
 * The authorization behind a token: the application, the user and the scopes. A field that is missing or can't be read is `null`;
 * only `application` with its `id` is always there, since it says which application has the token.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#get-current-authorization-information | Get Current Authorization Information in the platform's documentation}
 */
export interface AuthorizationObj {
  /** The application that has the token. */
  readonly application: ApplicationObj;
  /** The granted scopes. */
  readonly scopes: readonly string[] | null;
  /** The end of the token, as an ISO 8601 time. */
  readonly expires: string | null;
  /** The user who granted the scopes; with the `identify` scope only. */
  readonly user: UserObj | null;
}

/** The answer as the platform sends it. */
type SentAuthorization = WithSentUser<Omit<AuthorizationObj, "application">> & {
  readonly application: SentApplication;
};

/** The shape of an authorization. @internal */
export const authorization = object<SentAuthorization>({
  application: required(application),
  scopes: optional(list(string)),
  expires: optional(string),
  user: optional(user),
});

/**
 * Reads the answer to `GET /oauth2/@me`.
 *
 * @throws {PayloadError} If `application` or its `id` is missing or can't be read.
 */
export function toAuthorization(
  payload: unknown,
  report: Report,
  cdnUrl: string,
): AuthorizationObj {
  const found = readAnswer("The authorization", authorization, payload, report);
  return freeze({
    ...withUserAvatarUrl(found, cdnUrl),
    application: withBotAvatarUrl(found.application, cdnUrl),
  });
}
