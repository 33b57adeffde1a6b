/**
 * What a token was given for.
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
 * What a token was given for. A field is `null` when the platform did not send it or sent something that can't be read; only
 * `application` with its `id` is always there, since it says whose token it is.
 *
 * @see {@link https://docs.discord.com/developers/topics/oauth2#get-current-authorization-information | Get Current Authorization Information in the platform's documentation}
 */
export interface AuthorizationObj {
  /** The application that the token was given to. */
  readonly application: ApplicationObj;
  /** The scopes that were granted. */
  readonly scopes: readonly string[] | null;
  /** When the token expires, as an ISO 8601 time. */
  readonly expires: string | null;
  /** Who has granted them; with the `identify` scope only. */
  readonly user: UserObj | null;
}

/** The fields of the answer, as the platform sends them. */
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
 * @throws {PayloadError} When `application` or its `id` is missing or can't be read.
 */
export function toAuthorization(
  payload: unknown,
  cdnUrl: string,
  report: Report,
): AuthorizationObj {
  const found = readAnswer("The authorization", authorization, payload, report);
  return freeze({
    ...withUserAvatarUrl(found, cdnUrl),
    application: withBotAvatarUrl(found.application, cdnUrl),
  });
}
