/**
 * Measures the library beside its alternatives and prints the tables.
 *
 * `deno task --cwd scripts/lab bench` measures everything, `deno task --cwd scripts/lab bench links models` only the chapters with one of the
 * words in their title. With `--keep`, it writes the measured chapters to RESULTS.md. Without it, the permissions fail if their ratios are
 * far from the kept ones.
 *
 * @module
 */

import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { run } from "../../../command.ts";
import { withSections } from "../../mutation/results.ts";
import { binaryOf, installed, installTools } from "../../../../tests/integration/runtimes/tools.ts";
import { compare, compareAll, type CompareOptions, type Contests } from "./compare.ts";
import type { Measurement, Measurements } from "./measurements.ts";
import { measureRequests } from "./cold.ts";
import { measureCompilation } from "./compiled.ts";
import { importTimes } from "./imports.ts";
import { loginCount, measureLogins } from "./logins.ts";
import { manyAtOnce } from "./many.ts";
import { lostGround } from "./kept_ratios.ts";
import type { LoginMemory } from "./memory.ts";
import type { StoreSaves } from "./memory_store.ts";
import { growth, models, sizes } from "./models.ts";
import { compareAllInNode, runInNode } from "./packed.ts";
import { operations } from "./permissions.ts";
import { answerInProcess, requestGoals, requests, requestsInProcess } from "./requests.ts";
import { countStoreOperations, sessionLookups } from "./sessions.ts";
import { measureStarts } from "./starts.ts";
import { measureTypeChecks } from "./type_check.ts";
import { links } from "./urls.ts";

/** The line of RESULTS.md that begins the handwritten part, which is left as it is. */
const handwrittenMark = "<!-- What follows is written by hand. -->";

const results = new URL("RESULTS.md", import.meta.url);

/** The packages whose versions the results name. */
const comparedPackages = [
  "@auth/core",
  "@badgateway/oauth2-client",
  "@discordeno/utils",
  "arctic",
  "better-auth",
  "discord.js",
  "express-session",
  "iron-session",
  "jose",
  "ky",
  "mitata",
  "oauth4webapi",
  "openid-client",
  "valibot",
  "workerd",
];

const chapters: Record<string, () => Promise<string>> = {
  "Sizes": sizesOfBundles,
  "Links": () => chapter(links),
  "Permissions": permissions,
  "Models": answers,
  "Requests in process": requestsWithoutNetwork,
  "Requests over loopback": () => overLoopback(requests, { heap: true, turn: 150 }),
  "Many at once, in process": () =>
    chapter(manyAtOnce(answerInProcess, "https://discord.com/api/v10")),
  "Many at once, over loopback": () => overLoopback(manyAtOnce, { turn: 150 }),
  "Waiting calls": waiting,
  "Sessions": sessions,
  "Many sessions": async () =>
    tables(await compareAllInNode("./sessions.ts", "lookupsOfMany"), ", in Node"),
  "Requests of Node": requestsOfNode,
  "Logins in workerd": logins,
  "Cold and warm requests in workerd": coldAndWarm,
  "Compiled functions in workerd": compiledFunctions,
  "Memory": memory,
  "Start in workerd": starts,
  "Imports": imports,
  "Type check": typeChecks,
};

const keepResults = Deno.args.includes("--keep");
const words = Deno.args.filter((word) => word !== "--keep").map((word) => word.toLowerCase());
const chosen = chooseChapters();
const lost: string[] = [];
const measured = new Map<string, string>();
for (const title of chosen) {
  const text = `## ${title}\n\n${await machineNote(title)}${await chapters[title]?.()}\n`;
  console.log(text);
  measured.set(title, text);
}
if (keepResults) await writeResults(measured);
if (lost.length) throw new Error(`Slower than RESULTS.md says: ${lost.join("; ")}`);

/** Returns the chapters whose title has one of the words, or all without words. */
function chooseChapters(): string[] {
  const titles = Object.keys(chapters);
  if (!words.length) return titles;
  const unknown = words.filter((word) =>
    !titles.some((title) => title.toLowerCase().includes(word))
  );
  if (unknown.length) {
    throw new Error(
      `No chapter has ${unknown.join(", ")} in its title; there are ${titles.join(", ")}`,
    );
  }
  return titles.filter((title) => words.some((word) => title.toLowerCase().includes(word)));
}

async function chapter(contests: Contests, options?: CompareOptions): Promise<string> {
  return tables(await compareAll(contests, options));
}

function tables(measurements: Measurements, runtime = ""): string {
  return Object.entries(measurements)
    .map(([title, measured]) => measurementTable(title + runtime, measured))
    .join("\n");
}

function measurementTable(title: string, measured: readonly Measurement[]): string {
  const headings = [title, "median", "ratio"];
  if (measured.some(({ bytes }) => bytes !== null)) headings.push("allocated");
  return table(headings, measured.map(row));
}

function row({ name, time, ratio, bytes }: Measurement): string[] {
  return [
    name,
    duration(time),
    `${ratio.toFixed(2)}×`,
    ...(bytes === null ? [] : [`${(bytes / 1024).toFixed(1)} KiB`]),
  ];
}

/** Returns a table that shows how the time of each contender grows with the size of the guild. */
async function growthTable(): Promise<string> {
  const measured = await compare(growth, { turn: 150 });
  const rows = measured.map(({ name, time }, index) => {
    const smallest = measured[index - index % sizes.length]?.time ?? NaN;
    return [name, duration(time), `${(time / smallest).toFixed(1)}×`];
  });
  return table([
    "the same guild, 1, 4 and 16 times as large",
    "median",
    "growth",
  ], rows);
}

/** Returns the sizes of `deno task size --own`. Their budgets are in `scripts/size_budgets.ts` only. */
async function sizesOfBundles(): Promise<string> {
  const script = fileURLToPath(new URL("../../../size.ts", import.meta.url));
  const printed = await run([Deno.execPath(), "run", "-A", script, "--own", "--json"]);
  const { pages, servers } = JSON.parse(printed) as Record<"pages" | "servers", SizeRow[]>;
  const bytes = (found: number | undefined) => `${found?.toLocaleString("en-US")}`;
  return [
    table(["bytes of a page", "gzipped"], pages.map((row) => [row.imports, bytes(row.bytes)])),
    table(
      ["bytes of a server", "own code", "in one file"],
      servers.map((row) => [row.imports, bytes(row.bytes), bytes(row["in one file"])]),
    ),
  ].join("\n");
}

/** The bytes of a bundle. */
interface SizeRow {
  readonly imports: string;
  readonly bytes: number;
  readonly "in one file"?: number;
}

/** Measures permissions, and compares the ratios with the kept ones. */
async function permissions(): Promise<string> {
  const measured = await compareAll(operations);
  if (!keepResults) lost.push(...lostGround(measured, await Deno.readTextFile(results)));
  return tables(measured);
}

async function answers(): Promise<string> {
  return [
    await chapter(models, { heap: true }),
    await growthTable(),
    tables(await compareAllInNode("./reads.ts", "reads", { heap: true }), ", in Node"),
  ].join("\n");
}

async function requestsWithoutNetwork(): Promise<string> {
  // Many short turns: the first ones end before the runtime has compiled the code of a call, and other work slows whole turns.
  const options = { heap: true, rounds: 150, turn: 10 };
  return [
    tables(await compareAllInNode("./requests.ts", "requestsInProcess", options), ", in Node"),
    tables(await compareAll(requestsInProcess(), options), ", in Deno"),
    `${requestGoals}\n`,
  ].join("\n");
}

async function sessions(): Promise<string> {
  const counts = Object.entries(await countStoreOperations());
  return [
    tables(await compareAllInNode("./sessions.ts", "sessionLookups"), ", in Node"),
    tables(await compareAll(await sessionLookups()), ", in Deno"),
    tables(await compareAllInNode("./sessions.ts", "slowStoreLookups"), ", in Node"),
    table(
      ["operations of a store", "loads", "saves", "deletes"],
      counts.map(([name, { loads, saves, deletes }]) => [
        name,
        ...[loads, saves, deletes].map(String),
      ]),
    ),
  ].join("\n");
}

async function waiting(): Promise<string> {
  const code = `
    import { waitingCalls } from "./waiting.ts";
    console.log(JSON.stringify(await waitingCalls()));
  `;
  return tables(await runInNode(code) as Measurements, ", processor time in Node");
}

async function requestsOfNode(): Promise<string> {
  const code = `
    import { nodeRequests } from "./node_requests.ts";
    console.log(JSON.stringify(await nodeRequests()));
  `;
  const measured = await runInNode(code) as readonly Measurement[];
  return measurementTable("a Request of node:http, processor time", measured);
}

/** Measures the memory that logins leave behind, each in a process of its own. */
async function memory(): Promise<string> {
  const measure = async (name: string, call: string) => {
    const code = `
      import * as memory from "./memory.ts";
      console.log(JSON.stringify(await memory.${call}));
    `;
    const { logins, bytes } = await runInNode(code, ["--expose-gc"]) as LoginMemory;
    return [
      name,
      logins.toLocaleString("en-US"),
      `${(bytes / 1e6).toFixed(1)} MB`,
      `${(bytes / 1000 / logins).toFixed(2)} kB`,
    ];
  };
  const rows = [
    await withPlatform((url) =>
      measure("`Login` without a store", `memoryOfLogin(${JSON.stringify(url)})`)
    ),
    await measure("the fake platform", "memoryOfFakePlatform()"),
  ];
  const saves = await runInNode(`
    import { memoryStoreSaves } from "./memory_store.ts";
    console.log(JSON.stringify(await memoryStoreSaves()));
  `) as readonly StoreSaves[];
  return [
    table(["memory in use afterwards, in Node", "logins", "in all", "for each login"], rows),
    table(
      ["a save in a `MemoryStore`, in Node", "processor time", "longest save"],
      saves.map(({ values, save, longest }) => [
        `${values.toLocaleString("en-US")} values`,
        duration(save * 1000),
        duration(longest * 1e6),
      ]),
    ),
  ].join("\n");
}

async function typeChecks(): Promise<string> {
  const rows = (await measureTypeChecks()).map(({ name, time, added }) => [
    name,
    duration(time * 1e6),
    duration(added * 1e6),
  ]);
  return table(
    ["type check without `skipLibCheck`, TypeScript 6", "median", "over an empty project"],
    rows,
  );
}

async function logins(): Promise<string> {
  const measured = await measureLogins();
  const [first] = measured;
  const rows = measured.map(({ name, time, ratio, netRatio, memory }) => [
    name,
    duration(time),
    `${ratio.toFixed(2)}×`,
    `${netRatio.toFixed(2)}×`,
    `${(memory / 1e6).toFixed(0)} MB`,
    `${(memory / (first?.memory ?? NaN)).toFixed(2)}×`,
  ]);
  const count = loginCount.toLocaleString("en-US");
  return table(
    [
      "a whole login",
      "processor time",
      "ratio",
      "ratio without the time of empty answers",
      `memory after ${count} logins`,
      "ratio",
    ],
    [...rows, ["goal for `Login`", "", "", "1.35×", "", "1.25×"]],
  );
}

async function coldAndWarm(): Promise<string> {
  const ratio = (found: number, goal: number | null) =>
    `${found.toFixed(2)}×${goal === null ? "" : ` (goal ${goal})`}`;
  const rows = (await measureRequests()).map(({ name, goals, coldMs, coldRatio, ...warm }) => [
    name,
    duration(coldMs * 1e6),
    ratio(coldRatio, goals.cold),
    duration(warm.warmMs * 1e6),
    ratio(warm.warmRatio, goals.warm),
  ]);
  return table(
    ["processor time of a request", "first of a process", "ratio", "warm process", "ratio"],
    rows,
  );
}

async function compiledFunctions(): Promise<string> {
  const measured = Object.entries(await measureCompilation());
  return measured.map(([title, parts]) => {
    const sum = (field: "functions" | "bytes" | "milliseconds") =>
      parts.reduce((total, part) => total + part[field], 0);
    const all = {
      part: "together",
      functions: sum("functions"),
      bytes: sum("bytes"),
      milliseconds: sum("milliseconds"),
    };
    return table(
      [`compiled ${title}`, "functions", "bytes", "time"],
      [...parts, all].map(({ part, functions, bytes, milliseconds }) => [
        part.startsWith("src") ? `\`${part}\`` : part,
        `${functions}`,
        bytes.toLocaleString("en-US"),
        duration(milliseconds * 1e6),
      ]),
    );
  }).join("\n");
}

async function starts(): Promise<string> {
  const rows = (await measureStarts()).map(({ name, time, added }) => [
    name,
    duration(time * 1e6),
    duration(added * 1e6),
  ]);
  return table(
    ["processor time until the first answer", "median", "over an empty Worker"],
    rows,
  );
}

/** Measures a chapter with requests over HTTP to another process. */
async function overLoopback(contests: typeof requests, options: CompareOptions): Promise<string> {
  return await withPlatform((url) => chapter(contests(fetch, url), options));
}

/** Runs a measurement while the platform runs in another process. */
async function withPlatform<Result>(measure: (url: string) => Promise<Result>): Promise<Result> {
  const script = fileURLToPath(new URL("platform_server.ts", import.meta.url));
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", script],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: url } = await output.read();
  try {
    return await measure(String(url).trim());
  } finally {
    await server.stdin.close();
    await server.status;
  }
}

async function imports(): Promise<string> {
  const times = await importTimes();
  const rows = times.map(({ entry, deno, node }) => [
    `@guildpass/sdk${entry.slice(1)}`,
    duration(deno * 1e6),
    duration(node * 1e6),
  ]);
  return table(
    ["import, beyond that of an empty module", "Deno, from source", "Node, from the package"],
    rows,
  );
}

function duration(nanoseconds: number): string {
  if (Math.abs(nanoseconds) < 1e3) return `${nanoseconds.toFixed(0)} ns`;
  if (Math.abs(nanoseconds) < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} µs`;
  if (Math.abs(nanoseconds) < 1e9) return `${(nanoseconds / 1e6).toFixed(2)} ms`;
  return `${(nanoseconds / 1e9).toFixed(2)} s`;
}

/** Returns a table in Markdown, with numbers aligned to the right. */
function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [
    headings,
    headings.map((_, column) => (column ? "---:" : "---")),
    ...rows,
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** Returns the line of a single chapter that is kept beside others of another machine or other versions; else an empty text. */
async function machineNote(title: string): Promise<string> {
  const isWhole = chosen.length === Object.keys(chapters).length;
  // The sizes do not depend on the machine.
  if (!keepResults || isWhole || title === "Sizes") return "";
  const found = await machine();
  const kept = (await Deno.readTextFile(results)).replaceAll(/\s+/g, " ").split(" ## ")[0] ?? "";
  return kept.includes(found) ? "" : `Measured on ${found}.\n\n`;
}

/** Writes the measured chapters, and leaves the others as they are. */
async function writeResults(measured: ReadonlyMap<string, string>): Promise<void> {
  const text = await Deno.readTextFile(results);
  const [before = "", handwritten = ""] = text.split(handwrittenMark);
  const titles = Object.keys(chapters);
  const isWhole = measured.size === titles.length;
  const introduction = "# Speed\n\nMeasured by `deno task --cwd scripts/lab bench --keep` on ";
  const kept = isWhole ? `${introduction}${await machine()}.\n` : before;
  const chaptersKept = withSections(kept, titles, measured);
  await Deno.writeTextFile(results, `${chaptersKept}\n${handwrittenMark}${handwritten}`);
  await run([Deno.execPath(), "fmt", "--quiet", fileURLToPath(results)]);
}

async function machine(): Promise<string> {
  await installTools();
  const [{ model = "an unknown processor" } = {}] = cpus();
  const node = await run([binaryOf("node24"), "--version"]);
  const versions = comparedPackages.map((name) =>
    versionIn(new URL(`../../node_modules/${name}/package.json`, import.meta.url))
  );
  versions.push(versionIn(installed("typescript6/package.json")));
  return `${cpus().length} × ${model}, ${Deno.build.os}, Deno ${Deno.version.deno} (V8 ${Deno.version.v8}), ` +
    `Node ${node.trim().slice(1)}; ${versions.join(", ")}`;
}

/** Returns the name and the version in a `package.json`. */
function versionIn(path: URL | string): string {
  const { name, version } = JSON.parse(Deno.readTextFileSync(path));
  return `${name} ${version}`;
}
