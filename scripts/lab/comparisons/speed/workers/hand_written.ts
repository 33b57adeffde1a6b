/**
 * A Worker with a login that is written by hand, without a library.
 *
 * @module
 */

import { createWorker, type Worker } from "./by_hand.ts";
import { createClient } from "./client_by_hand.ts";

/** The Worker. */
const worker: Worker = createWorker(createClient(fetch));

export default worker;
