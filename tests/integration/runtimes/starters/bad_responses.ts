// Measures responses that are endless or too large, with the installed package on Node, Bun and Deno: node bad_responses.ts <origin>
import * as sdk from "@guildpass/sdk";
import process from "node:process";
import { measureBadResponses } from "../bad_responses.ts";
import { peakMemory } from "./peak_memory.ts";

const before = peakMemory("self");
const measurements = await measureBadResponses(sdk, process.argv[2] ?? "");
const after = peakMemory("self");
const memory = before === null || after === null ? null : after - before;
console.log(JSON.stringify({ measurements, memory }));
