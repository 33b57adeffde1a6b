/**
 * The answer to a device that starts a login.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { readAnswer, type Report } from "./reading.ts";
import { object, optional, printable, required, type Shape, withDefault } from "./shapes.ts";
import { seconds } from "./token.ts";

/** What a device that starts a login is given (RFC 8628 section 3.2). */
export interface DeviceAuthorization {
  /** What the device asks for its token with: a secret. */
  readonly device_code: string;
  /** What the person types in. */
  readonly user_code: string;
  /** Where the person types it in. */
  readonly verification_uri: string;
  /** The same page with the code typed in already. */
  readonly verification_uri_complete: string | null;
  /** How long both codes work, in seconds. */
  readonly expires_in: number;
  /** How long to wait between two requests for the token, in seconds. */
  readonly interval: number;
}

/** An address that can be opened without harm: no code, and no option of a command. */
const webAddress: Shape<string> = {
  expected: "a web address",
  schema: v.pipe(v.string(), v.regex(/^https?:\/\/[!-~]+$/)),
};

const deviceAuthorization = object<DeviceAuthorization>({
  device_code: required(printable),
  user_code: required(printable),
  verification_uri: required(webAddress),
  verification_uri_complete: optional(webAddress),
  // The platform's usual time, as it is an upper limit only: the platform says when a code has expired.
  expires_in: withDefault(seconds, 300),
  // RFC 8628 section 3.2 has this default.
  interval: withDefault(seconds, 5),
});

/**
 * Reads the answer to a device that starts a login.
 *
 * @throws {PayloadError} When a code or the address is missing or can't be read.
 */
export function toDeviceAuthorization(payload: unknown, report: Report): DeviceAuthorization {
  return readAnswer("The answer to the device", deviceAuthorization, payload, report);
}
