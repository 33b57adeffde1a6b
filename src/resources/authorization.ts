/**
 * Reads the authorization behind a token: its application, its scopes and its user.
 *
 * @module
 */

import { application, type ApplicationObj } from "./application.ts";
import { type ObjectShape, string } from "./shapes.ts";
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

/** The shape of an authorization: the response to `GET /oauth2/@me`. @internal */
export const authorization: ObjectShape<AuthorizationObj> = {
  name: "The authorization",
  required: { application },
  optional: { scopes: { entry: string }, expires: string, user },
};
