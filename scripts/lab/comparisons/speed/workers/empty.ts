/**
 * A Worker that answers without work, for the share of workerd itself.
 *
 * @module
 */

import type { Worker } from "./by_hand.ts";

/** The Worker. */
const worker: Worker = {
  fetch: () => Promise.resolve(new Response("Welcome")),
};

export default worker;
