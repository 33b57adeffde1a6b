/**
 * A pending login, for the tests of its progress.
 *
 * @module
 */

import { generateCodeVerifier, generateState } from "../../mod.ts";
import type { PendingLogin } from "../../src/login/base/pending_login.ts";

/** Returns a pending login that begins now. */
export function createPendingLogin(): PendingLogin {
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
