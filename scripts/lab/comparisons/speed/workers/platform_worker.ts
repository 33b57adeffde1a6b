/**
 * The platform as a Worker: everything that the other Workers fetch comes from here.
 *
 * @module
 */

import type { Worker } from "./by_hand.ts";
import { answerRequest } from "./platform.ts";

/** The Worker. */
const worker: Worker = { fetch: answerRequest };

export default worker;
