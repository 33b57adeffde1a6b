/**
 * Lists what V8 compiles in a new process of workerd: it compiles a function when that function is first called, and this is most of
 * the time of a first request.
 *
 * The times are those of V8's own log, which adds to them.
 *
 * @module
 */

import { type EncodedSourceMap, originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { HttpConnection } from "./http_connection.ts";
import { bundleWorker, project } from "./packed.ts";
import { locationOf, type PreparedRequest, startPath, Visitor } from "./visitor.ts";
import { prepareWorker, type RunningWorker, startPlatform } from "./workerd.ts";

/** The functions of one part of the Worker that are compiled. */
export interface CompiledPart {
  /** A folder of the library, or the name of a package. */
  readonly part: string;
  readonly functions: number;
  /** The bytes of these functions in the minified Worker. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/** The compiled parts, the longest first, by what the Worker has done. */
export type CompiledParts = Readonly<
  Record<"until the first request" | "in a first `start`" | "in a first callback", CompiledPart[]>
>;

/** A function that was compiled, with its offsets in the Worker. */
interface CompiledFunction {
  readonly start: number;
  readonly end: number;
  readonly milliseconds: number;
}

/** Measures the Worker with `Login`. */
export async function measureCompilation(): Promise<CompiledParts> {
  const script = await bundleWorker("login", { sourcemap: "external" });
  const partOf = await partFinder(script);
  await using platform = await startPlatform();
  const log = fileURLToPath(new URL("functions.log", project));
  const startLogged = await prepareWorker("login", platform, [
    "--log-function-events",
    "--no-logfile-per-isolate",
    `--logfile=${log}`,
  ]);
  const start = await prepareWorker("login", platform);
  /** Returns the functions that a new process has compiled after a request. */
  const compiled = async (request: PreparedRequest | null): Promise<CompiledFunction[]> => {
    const worker = await startLogged();
    if (request) await send(worker, request);
    await worker[Symbol.asyncDispose]();
    return readLog(await Deno.readTextFile(log), (await Deno.readTextFile(script)).length);
  };
  await using other = await start();
  using connection = await HttpConnection.open(other.port);
  const callback = await new Visitor(connection, 1).begin();
  const atImport = await compiled(null);
  const known = new Set(atImport.map(({ start }) => start));
  const partsAfter = async (request: PreparedRequest) =>
    sumUp((await compiled(request)).filter(({ start }) => !known.has(start)), partOf);
  return {
    "until the first request": sumUp(atImport, partOf),
    "in a first `start`": await partsAfter({ path: startPath, cookie: "" }),
    "in a first callback": await partsAfter(callback),
  };
}

/** Sends a request that leads to another page. */
async function send(worker: RunningWorker, { path, cookie }: PreparedRequest): Promise<void> {
  using connection = await HttpConnection.open(worker.port);
  locationOf(path, await connection.get(path, cookie));
}

/**
 * Reads the functions of the Worker from V8's log, whose lines are `function,event,script,start,end,milliseconds,…`.
 *
 * @param length The characters of the Worker: no other script is that long.
 */
function readLog(log: string, length: number): CompiledFunction[] {
  const lines = log.split("\n").map((line) => line.split(","));
  const times = new Map<string, number>();
  const worker = lines.find(([, , , , end]) => Number(end) === length)?.[2];
  for (const [kind, event = "", script, start, end, milliseconds] of lines) {
    if (kind !== "function" || script !== worker) continue;
    const key = `${start} ${end}`;
    if (event === "parse-function") times.set(key, 0);
    if (event !== "parse-function" && event !== "interpreter") continue;
    const time = times.get(key);
    if (time !== undefined) times.set(key, time + Number(milliseconds));
  }
  return [...times].map(([key, milliseconds]) => {
    const [start = NaN, end = NaN] = key.split(" ").map(Number);
    return { start, end, milliseconds };
  });
}

function sumUp(
  functions: readonly CompiledFunction[],
  partOf: (offset: number) => string,
): CompiledPart[] {
  const parts = Object.entries(Object.groupBy(functions, ({ start }) => partOf(start)));
  return parts.map(([part, compiled = []]) => ({
    part,
    functions: compiled.length,
    bytes: compiled.reduce((sum, { start, end }) => sum + end - start, 0),
    milliseconds: compiled.reduce((sum, one) => sum + one.milliseconds, 0),
  })).sort((a, b) => b.milliseconds - a.milliseconds);
}

/** The name of the part that is not of a package. */
const own = "the Worker itself";

/** Returns a function that names the part of the Worker at an offset. */
async function partFinder(script: string): Promise<(offset: number) => string> {
  const map = new TraceMap(
    JSON.parse(await Deno.readTextFile(`${script}.map`)) as EncodedSourceMap,
  );
  const lines = (await Deno.readTextFile(script)).split("\n");
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return (offset) => {
    const index = starts.findLastIndex((start) => start <= offset);
    // A method begins with its parenthesis, which has no mapping of its own.
    const column = offset - (starts[index] ?? 0) + 1;
    const { source } = originalPositionFor(map, { line: index + 1, column });
    const path = resolve(dirname(script), source ?? "");
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
    if (name !== "@guildpass/sdk") return name?.replace(/^\..*/, own) ?? own;
    return /\/(src\/[^/.]+)/.exec(path)?.[1] ?? "src";
  };
}
