/**
 * Replaces `@guildpass/sdk/login`: uses the platform that the test serves.
 *
 * @module
 */

import { env } from "node:process";
import { Login as RealLogin, type LoginOptions } from "../../../../src/login/mod.ts";

/** A `Login` on the fake platform. */
export class Login<const Asked extends "identify"> extends RealLogin<Asked> {
  /** Creates a login with an application's options. */
  constructor(options: LoginOptions<Asked, never, undefined, undefined>) {
    super({ ...options, platform: JSON.parse(env.FAKE_PLATFORM ?? "") });
  }
}
