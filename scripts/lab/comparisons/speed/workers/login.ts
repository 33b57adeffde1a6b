/**
 * A Worker with `Login`.
 *
 * @module
 */

import { Login } from "../../../../../src/login/mod.ts";
import type { Worker } from "./by_hand.ts";
import { application, cookieSecret } from "./platform.ts";

const login = new Login({ ...application, secret: cookieSecret });

/** The Worker. */
const worker: Worker = {
  async fetch(request) {
    const response = await login.handle(request);
    if (response) return response;
    const session = await login.session(request);
    const text = session ? `Hello, ${session.user.username}` : "Welcome";
    return new Response(text, { headers: { "cache-control": "no-store" } });
  },
};

export default worker;
