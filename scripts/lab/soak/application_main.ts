/**
 * The program of a process: replaces its clock, and starts the application, until the process that has started it is gone.
 *
 * @module
 */

import type { Settings } from "./application.ts";
import { SimulatedClock, simulateTime } from "./clock.ts";

const settings: Settings = JSON.parse(Deno.args[0] ?? "{}");
const clock = new SimulatedClock(settings.speed, settings.now);
const clocks = simulateTime(clock, settings.skew);
// It is loaded after the clock was replaced.
const { startApplication } = await import("./application.ts");
await startApplication({ settings, clock, clocks });
for await (const _ of Deno.stdin.readable);
Deno.exit();
