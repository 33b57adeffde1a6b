/**
 * Runs before a program: moves its clock by the milliseconds in the file `CLOCK_FILE`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { env } from "node:process";

const { now } = Date;
Date.now = () => now() + Number(readFileSync(env.CLOCK_FILE ?? ""));
