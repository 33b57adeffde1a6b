/**
 * Reads the authorization behind a token: its application, its scopes and its user.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { type ApplicationObj, applicationSchema } from "./application.ts";
import { looseObject, orNull, type Schema } from "./schemas.ts";
import { type UserObj, userSchema } from "./user.ts";

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

/** Creates the schema of an authorization: the response to `GET /oauth2/@me`. @internal */
export function authorizationSchema(cdnUrl: string): Schema<AuthorizationObj> {
  return looseObject({
    application: applicationSchema(cdnUrl),
    scopes: orNull(v.array(v.string())),
    expires: orNull(v.string()),
    user: orNull(userSchema(cdnUrl)),
  }, "The authorization");
}
