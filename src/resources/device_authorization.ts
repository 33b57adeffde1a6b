/**
 * The response to a device that begins a login.
 *
 * @module
 */

import { readPayload, type Report } from "./reading.ts";
import { object, printable, text } from "./shapes.ts";
import { seconds } from "./token.ts";

/** The response to a device that begins a login (RFC 8628 section 3.2). */
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
const webAddress = /* @__PURE__ */ text("a web address", /^https?:\/\/[!-~]+$/);

const deviceAuthorization = /* @__PURE__ */ object<DeviceAuthorization>({
  device_code: printable,
  user_code: printable,
  verification_uri: webAddress,
  // The platform's usual time. It is only an upper limit, since the platform says when a code has expired.
  expires_in: { shape: seconds, fallback: 300 },
  // RFC 8628 section 3.2 has this default.
  interval: { shape: seconds, fallback: 5 },
}, {
  verification_uri_complete: webAddress,
});

/**
 * Reads the device authorization response.
 *
 * @throws {PayloadError} If a code or the address is missing or can't be read.
 */
export function toDeviceAuthorization(payload: unknown, report: Report): DeviceAuthorization {
  return readPayload("The device authorization", deviceAuthorization, payload, report);
}
