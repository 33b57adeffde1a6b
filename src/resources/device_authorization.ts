/**
 * The answer to a device that begins a login.
 *
 * @module
 */

import * as v from "npm:valibot@^1.5.0";
import { readAnswer, type Report } from "./reading.ts";
import { object, optional, printable, required, type Shape, withDefault } from "./shapes.ts";
import { seconds } from "./token.ts";

/** The answer to a device that begins a login (RFC 8628 section 3.2). */
export interface DeviceAuthorization {
  /** The secret code with which the device asks for its token. */
  readonly device_code: string;
  /** The code that the person types in. */
  readonly user_code: string;
  /** The URL of the page where the person types it in. */
  readonly verification_uri: string;
  /** The URL of the same page with the code filled in. */
  readonly verification_uri_complete: string | null;
  /** The lifetime of both codes, in seconds. */
  readonly expires_in: number;
  /** The shortest time between two requests for the token, in seconds. */
  readonly interval: number;
}

/** A web address, which is harmless to open: no script, and no option of a command. */
const webAddress: Shape<string> = {
  expected: "a web address",
  schema: v.pipe(v.string(), v.regex(/^https?:\/\/[!-~]+$/)),
};

const deviceAuthorization = object<DeviceAuthorization>({
  device_code: required(printable),
  user_code: required(printable),
  verification_uri: required(webAddress),
  verification_uri_complete: optional(webAddress),
  // The platform's usual time. It is only an upper limit, since the platform says when a code has expired.
  expires_in: withDefault(seconds, 300),
  // RFC 8628 section 3.2 has this default.
  interval: withDefault(seconds, 5),
});

/**
 * Reads the answer to a device that begins a login.
 *
 * @throws {PayloadError} If a code or the address is missing or can't be read.
 */
export function toDeviceAuthorization(payload: unknown, report: Report): DeviceAuthorization {
  return readAnswer("The answer to the device", deviceAuthorization, payload, report);
}
