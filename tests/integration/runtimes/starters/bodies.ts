// Measures answers that are too long, with the installed package on Node, Bun and Deno: node bodies.ts <origin>
import * as sdk from "@guildpass/sdk";
import process from "node:process";
import { measureBodies } from "../bodies.ts";
import { peakMemory } from "./memory.ts";

const before = peakMemory("self");
const measured = await measureBodies(sdk, process.argv[2] ?? "");
const after = peakMemory("self");
const memory = before === null || after === null ? null : after - before;
console.log(JSON.stringify({ measured, memory }));
