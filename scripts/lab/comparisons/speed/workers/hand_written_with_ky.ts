/**
 * A Worker with the login that is written by hand, which sends its requests with ky.
 *
 * @module
 */

import ky from "ky";
import { createWorker, type Worker } from "./by_hand.ts";
import { createClient } from "./client_by_hand.ts";

const settings = { retry: 0, timeout: false, throwHttpErrors: false } as const;

/** The Worker. */
const worker: Worker = createWorker(createClient((url, init) => ky(url, { ...init, ...settings })));

export default worker;
