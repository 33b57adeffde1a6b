/**
 * An attempt to log in, for the tests of its progress.
 *
 * @module
 */

import { generateCodeVerifier, generateState } from "../../mod.ts";
import type { Attempt } from "../../src/login/attempts.ts";

/** Returns an attempt that begins now. */
export function createAttempt(): Attempt {
  return {
    state: generateState(),
    codeVerifier: generateCodeVerifier(),
    nonce: generateState(),
    returnTo: "/",
    data: null,
    scope: ["identify"],
    purpose: { kind: "login" },
    startedAt: Date.now(),
  };
}
