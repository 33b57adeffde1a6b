/**
 * Reads the response that starts a device login.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { looseObject, orNull, printable, type Schema, text } from "./schemas.ts";
import { seconds } from "./token.ts";

/** The device authorization response (RFC 8628 section 3.2). */
export interface DeviceAuthorization {
  /** The device code, a secret: the device sends it in its token requests. */
  readonly device_code: string;
  /** The user code, which the person enters. */
  readonly user_code: string;
  /** The URL of the page on which the person enters the user code. */
  readonly verification_uri: string;
  /** The URL of the same page with the user code filled in. */
  readonly verification_uri_complete: string | null;
  /** The lifetime of both codes, in seconds. */
  readonly expires_in: number;
  /** The minimum polling interval, in seconds. */
  readonly interval: number;
}

/** An `http:` or `https:` URL. It is harmless to open: not a script, and not an option of a command. */
function webAddress(): Schema<string> {
  return text(/^https?:\/\/[!-~]+$/, "a web address");
}

/** Creates the schema of the device authorization response. @internal */
export function deviceAuthorizationSchema(): Schema<DeviceAuthorization> {
  return looseObject({
    device_code: printable(),
    user_code: printable(),
    verification_uri: webAddress(),
    // Discord's usual lifetime. It is only an upper limit: Discord reports an expired code.
    expires_in: v.nullish(seconds(), 300),
    // RFC 8628 section 3.2 has this default.
    interval: v.nullish(seconds(), 5),
    verification_uri_complete: orNull(webAddress()),
  }, "The device authorization");
}
