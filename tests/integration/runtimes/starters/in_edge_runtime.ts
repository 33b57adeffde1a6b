// Runs a bundled edge function in edge-runtime: node in_edge_runtime.ts <path of edge-runtime> <bundle> <origin>
import { readFile } from "node:fs/promises";
import process from "node:process";

const [module = "", bundle = "", origin] = process.argv.slice(2);
const { EdgeRuntime } = (await import(module)).default;
const runtime = new EdgeRuntime({ initialCode: await readFile(bundle, "utf8") });
const response = await runtime.dispatchFetch(`https://edge.example/?origin=${origin}`);
const text = await response.text();
if (response.status !== 200) throw new Error(text);
console.log(text);
