/**
 * Stands in for `@guildpass/sdk/login`: the same, but its platform is the one that the test serves.
 *
 * @module
 */

import { env } from "node:process";
import { Login as RealLogin, type LoginOptions } from "../../../../src/login/mod.ts";

/** Logs people in on the fake platform. */
export class Login<const Asked extends "identify"> extends RealLogin<Asked> {
  /** Takes what an application gives. */
  constructor(options: LoginOptions<Asked, never, undefined, undefined>) {
    super({ ...options, platform: JSON.parse(env.FAKE_PLATFORM ?? "") });
  }
}
