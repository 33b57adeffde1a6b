// Runs a bundled Worker in workerd: node in_workerd.ts <path of miniflare> <bundle> <origin>
import process from "node:process";

const [module = "", scriptPath, origin] = process.argv.slice(2);
const { Miniflare, supportedCompatibilityDate: compatibilityDate } = await import(module);
const workerd = new Miniflare({ modules: true, scriptPath, compatibilityDate });
const response = await workerd.dispatchFetch(`https://worker.example/?origin=${origin}`);
const text = await response.text();
await workerd.dispose();
if (response.status !== 200) throw new Error(text);
console.log(text);
