/**
 * Measures how the source is built: its size by folder, long functions and files, and the way of a call through the files.
 *
 * ```sh
 * deno task --cwd scripts/lab structure                   # this checkout
 * deno task --cwd scripts/lab structure /path/to/checkout # another one
 * deno task --cwd scripts/lab structure --calls "cookie: session() again"
 * ```
 *
 * The README of the lab has the definitions.
 *
 * @module
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { longestFile, longestFunction } from "../../architecture.ts";
import { filesBelow } from "../../files.ts";
import { copyInstrumented } from "./instrument.ts";
import {
  codeLines,
  functionsOf,
  lateImports,
  lengthOf,
  lineCount,
  nameOf,
  parse,
} from "./source.ts";
import { figuresOf, framesOf } from "./trace.ts";
import { walkAll, type Way } from "./ways.ts";

/** The figures of a source file. */
interface Source {
  /** The path below the checkout. */
  readonly path: string;
  readonly lines: number;
  readonly codeLines: number;
  /** The places of `import()`. */
  readonly lateImports: readonly string[];
  /** The names of the long functions, with their lengths. */
  readonly longFunctions: readonly string[];
}

if (import.meta.main) await main();

async function main(): Promise<void> {
  const { values: { calls }, positionals: [folder] } = parseArgs({
    args: Deno.args,
    options: { calls: { type: "string" } },
    allowPositionals: true,
  });
  const checkout = folder === undefined
    ? new URL("../../../", import.meta.url)
    : pathToFileURL(`${resolve(folder)}/`);
  const ways = await walkCopy(checkout);
  if (calls !== undefined) return printCalls(ways, calls);
  const sources = readSources(checkout);
  printTable(["folder", "files in it", "with subfolders", "lines of code"], folderRows(sources));
  const functions = sources.flatMap(({ longFunctions }) => longFunctions);
  printList(`functions over ${longestFunction} lines`, functions);
  const files = sources.filter(({ lines }) => lines > longestFile);
  printList(
    `files over ${longestFile} lines`,
    files.map(({ path, lines, codeLines }) => `${path}: ${lines}, ${codeLines} of code`),
  );
  printList("import()", sources.flatMap(({ lateImports }) => lateImports));
  printTable(["way", "calls", "files", "moves", "moves back", "frames"], ways.map(wayRow));
}

/** Walks the ways through an instrumented copy of a checkout. */
async function walkCopy(checkout: URL): Promise<Way[]> {
  const { exports } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", checkout)));
  const copy = pathToFileURL(`${Deno.makeTempDirSync()}/`);
  try {
    // The fake platform is not part of a way.
    copyInstrumented(checkout, copy, new URL("./", new URL(exports["./testing"], copy)));
    return await walkAll({
      main: await import(new URL(exports["."], copy).href),
      testing: await import(new URL(exports["./testing"], copy).href),
    });
  } finally {
    Deno.removeSync(copy, { recursive: true });
  }
}

function readSources(checkout: URL): Source[] {
  const paths = filesBelow(new URL("src/", checkout)).filter((path) => path.endsWith(".ts"));
  return paths.map((name) => {
    const path = `src/${name}`;
    const text = Deno.readTextFileSync(new URL(path, checkout));
    const file = parse(path, text);
    const functions = functionsOf(file)
      .map((node) => ({ name: nameOf(node, file), length: lengthOf(node, file) }))
      .filter(({ length }) => length > longestFunction);
    return {
      path,
      lines: lineCount(file),
      codeLines: codeLines(file),
      lateImports: lateImports(file).map((line) => `${path}:${line}`),
      longFunctions: functions.map(({ name, length }) => `${path} ${name}: ${length}`),
    };
  });
}

/** Returns a row for each folder, and for two folders together. */
function folderRows(sources: readonly Source[]): string[][] {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
  const folders = new Set<string>();
  for (const { path } of sources) {
    const names = folderOf(path).split("/");
    names.forEach((_name, last) => folders.add(names.slice(0, last + 1).join("/")));
  }
  return [...[...folders].sort(), "src/login + src/tokens"].map((name) => {
    const names = name.split(" + ");
    const direct = sources.filter(({ path }) => names.includes(folderOf(path)));
    const all = sources.filter(({ path }) => names.some((one) => path.startsWith(`${one}/`)));
    const lines = all.reduce((sum, { codeLines }) => sum + codeLines, 0);
    return [name, `${direct.length}`, `${all.length}`, lines.toLocaleString("en")];
  });
}

function wayRow({ name, calls, frames }: Way): string[] {
  const { files, moves, back } = figuresOf(calls);
  return [name, `${calls.length}`, `${files}`, `${moves}`, `${back}`, `${frames ?? ""}`];
}

/** Prints the calls of a way, each below its caller. */
function printCalls(ways: readonly Way[], name: string): void {
  const way = ways.find((way) => way.name === name);
  if (!way) throw new Error(`Ways: ${ways.map(({ name }) => name).join(", ")}`);
  for (const call of way.calls) {
    console.log(`${"  ".repeat(framesOf(call).length - 1)}${call.file} ${call.name}`);
  }
}

function printList(title: string, lines: readonly string[]): void {
  console.log(`${title}: ${lines.length}`);
  for (const line of lines) console.log(`  ${line}`);
  console.log();
}

/** Prints columns, with the numbers at the right. */
function printTable(titles: readonly string[], rows: readonly string[][]): void {
  const table = [titles, ...rows];
  const widths = titles.map((_title, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0))
  );
  for (const row of table) {
    const cells = widths.map((width, column) =>
      column === 0 ? row[column]?.padEnd(width) : row[column]?.padStart(width)
    );
    console.log(cells.join("  "));
  }
  console.log();
}
