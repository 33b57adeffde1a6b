/**
 * Reads the response that starts a device login.
 *
 * @module
 */

import { type ObjectShape, printable, text, type ValueShape } from "./shapes.ts";
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
const webAddress: ValueShape<string> = {
  expected: "a web address",
  createSchema: () => text(/^https?:\/\/[!-~]+$/),
};

/** The shape of the device authorization response. @internal */
export const deviceAuthorization: ObjectShape<DeviceAuthorization> = {
  name: "The device authorization",
  required: {
    device_code: printable,
    user_code: printable,
    verification_uri: webAddress,
    // The platform's usual lifetime. It is only an upper limit: the platform reports an expired code.
    expires_in: { shape: seconds, fallback: 300 },
    // RFC 8628 section 3.2 has this default.
    interval: { shape: seconds, fallback: 5 },
  },
  optional: { verification_uri_complete: webAddress },
};
