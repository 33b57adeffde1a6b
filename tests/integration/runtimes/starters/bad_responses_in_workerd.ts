// Runs bad_responses_worker.ts in workerd: node bad_responses_in_workerd.ts <path of miniflare> <bundle> <origin>
import process from "node:process";
import { childrenOf, peakMemory } from "./peak_memory.ts";

const [module = "", scriptPath, origin] = process.argv.slice(2);
const { Miniflare, supportedCompatibilityDate: compatibilityDate } = await import(module);
const workerd = new Miniflare({ modules: true, scriptPath, compatibilityDate });
await (await workerd.dispatchFetch("https://worker.example/")).text();
const [id = 0] = childrenOf(process.pid);
const before = peakMemory(id);
const response = await workerd.dispatchFetch(`https://worker.example/?origin=${origin}`);
const text = await response.text();
const after = peakMemory(id);
await workerd.dispose();
if (response.status !== 200) throw new Error(text);
const memory = before === null || after === null ? null : after - before;
console.log(JSON.stringify({ measurements: JSON.parse(text), memory }));
