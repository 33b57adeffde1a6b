/**
 * Reads the imports of every source file, types included, and fails if they break a rule of `architecture.ts`:
 *
 * - a module imports a part that its own part may not import;
 * - a page-safe module reaches a module that is not page-safe, or a package, or uses network code by itself;
 * - a package is imported outside the folder that wraps it;
 * - an entry point loads the store of a database that has an entry point of its own;
 * - modules import each other in a circle;
 * - a function or a file is too long.
 *
 * ```sh
 * deno run --allow-read --allow-env --allow-run=deno scripts/check_boundaries.ts
 * ```
 *
 * @module
 */

import configuration from "../deno.json" with { type: "json" };
import {
  isPageSafe,
  longestFile,
  longestFunction,
  longFiles,
  mayImportPackage,
  partOf,
  parts,
} from "./architecture.ts";
import { filesBelow } from "./files.ts";
import { functionsOf, lengthOf, lineCount, nameOf, parse } from "./lab/structure/source.ts";

interface Graph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier: string };
      readonly type?: { readonly specifier: string };
    }[];
  }[];
}

/** The imports of one module. */
interface Imports {
  /** The imports that remain at run time. */
  readonly code: readonly string[];
  /** All imports, types included. */
  readonly all: readonly string[];
}

type Modules = ReadonlyMap<string, Imports>;

/** Code that reaches the network, or loads a module by a computed name. */
const networkPattern =
  /\b(?:fetch|import|sendBeacon)\s*\(|\bnew (?:\w*Worker|WebSocket|EventSource|XMLHttpRequest)\b/;

if (import.meta.main) {
  const sourceFiles = filesBelow(new URL("../src/", import.meta.url));
  const modules = await readImports("mod.ts", ...sourceFiles.map((path) => `src/${path}`));
  const problems = [
    ...findWrongImports(modules),
    ...findLeaksIntoPages(modules),
    ...findNetworkCode(modules),
    ...findStrayPackages(modules),
    ...findStrayStores(modules),
    ...findCircles(modules),
    ...[...modules.keys()].flatMap((module) =>
      findLongCode(module, Deno.readTextFileSync(new URL(`../${module}`, import.meta.url)))
    ),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length) Deno.exit(1);
  const safe = [...modules.keys()].filter(isPageSafe).length;
  console.log(
    `${modules.size} modules, ${safe} of them page-safe: no circle, no import between parts that is not allowed, ` +
      "no chain of imports from a page to network code or a package, or from elsewhere to the store of a database, " +
      `no function over ${longestFunction} lines, and only ${
        Object.keys(longFiles).length
      } files over ${longestFile}`,
  );
}

async function readImports(...entries: string[]): Promise<Modules> {
  const root = new URL("../", import.meta.url).href;
  const local = (specifier: string) =>
    specifier.startsWith(root) ? specifier.slice(root.length) : specifier;
  const found = new Map<string, Imports>();
  for (const entry of entries) {
    if (found.has(entry)) continue;
    for (const { specifier, error, dependencies = [] } of (await readGraph(entry)).modules) {
      if (error) throw new Error(`Could not load ${local(specifier)}: ${error}`);
      if (!local(specifier).match(/^(mod\.ts|src\/)/)) continue;
      const target = (written: string, resolved: string) =>
        written.startsWith(".") ? local(resolved) : written;
      found.set(local(specifier), {
        code: dependencies.flatMap(({ specifier: written, code }) =>
          code ? [target(written, code.specifier)] : []
        ),
        all: dependencies.flatMap(({ specifier: written, code, type }) => {
          const resolved = code ?? type;
          return resolved ? [target(written, resolved.specifier)] : [];
        }),
      });
    }
  }
  return found;
}

async function readGraph(entry: string): Promise<Graph> {
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: new URL("../", import.meta.url),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

function isPackage(specifier: string): boolean {
  return /^(npm|node|jsr|https?):/.test(specifier);
}

/** Finds imports of a part that the importing part may not import. */
function findWrongImports(modules: Modules): string[] {
  return [...modules].flatMap(([module, { all, code }]) => {
    const from = partOf(module);
    if (!from) return [`${module} belongs to no part in architecture.ts`];
    const { mayImport, mayImportTypes = [] } = parts[from];
    return all.filter((target) => !isPackage(target)).flatMap((target) => {
      const to = partOf(target);
      const allowed = to && (to === from || mayImport.includes(to) ||
        (mayImportTypes.includes(to) && !code.includes(target)));
      return allowed ? [] : [`${module} (${from}) may not import ${target} (${to ?? "no part"})`];
    });
  });
}

/** Finds, for each page-safe module, a chain of run-time imports to a module that a page must not load. */
function findLeaksIntoPages(modules: Modules): string[] {
  return [...modules.keys()].filter(isPageSafe).flatMap((module) => {
    const chain = findChain(modules, module, (next) => !isPageSafe(next));
    return chain ? [`${module} is page-safe, but reaches ${chain}`] : [];
  });
}

/** Finds, for each entry point, a chain of run-time imports to the store of a database. Only the entry point of the store loads it. */
function findStrayStores(modules: Modules): string[] {
  const entries = Object.entries(configuration.exports)
    .map(([name, path]) => ({ name, module: path.slice("./".length) }));
  const stores = new Set(
    entries.filter(({ name }) => name.startsWith("./stores/")).map(({ module }) => module),
  );
  return entries.flatMap(({ name, module }) => {
    const chain = findChain(modules, module, (next) => stores.has(next));
    return chain ? [`${name} loads the store of a database: ${chain}`] : [];
  });
}

/** Finds a chain of run-time imports from a module to one for which the function returns true. */
function findChain(
  modules: Modules,
  module: string,
  isFound: (module: string) => boolean,
): string | null {
  const chains = [[module]];
  const seen = new Set([module]);
  for (const chain of chains) {
    for (const next of modules.get(chain.at(-1) ?? "")?.code ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (isFound(next)) return [...chain, next].join(" -> ");
      chains.push([...chain, next]);
    }
  }
  return null;
}

/** Finds network code in the page-safe modules themselves, outside of comments. */
function findNetworkCode(modules: Modules): string[] {
  return [...modules.keys()].filter(isPageSafe).flatMap((module) => {
    const text = Deno.readTextFileSync(new URL(`../${module}`, import.meta.url));
    const code = text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
    const [word] = networkPattern.exec(code) ?? [];
    return word ? [`${module} is page-safe, but has "${word}"`] : [];
  });
}

function findStrayPackages(modules: Modules): string[] {
  return [...modules].flatMap(([module, { all }]) =>
    all
      .filter((specifier) => isPackage(specifier) && !mayImportPackage(module, specifier))
      .map((specifier) => `${module} imports ${specifier}, which it may not`)
  );
}

/** Finds the functions of a file that are too long, and the file itself, unless it may be. A file that may be long must be so. */
export function findLongCode(module: string, text: string): string[] {
  const file = parse(module, text);
  const functions = functionsOf(file)
    .map((node) => ({ name: nameOf(node, file), length: lengthOf(node, file) }))
    .filter(({ length }) => length > longestFunction)
    .map(({ name, length }) =>
      `${module} ${name} has ${length} lines, and a function may have ${longestFunction}`
    );
  const lines = lineCount(file);
  if (lines > longestFile === module in longFiles) return functions;
  return [
    ...functions,
    module in longFiles
      ? `${module} has ${lines} lines, so it needs no exception in architecture.ts`
      : `${module} has ${lines} lines, and a file may have ${longestFile}`,
  ];
}

function findCircles(modules: Modules): string[] {
  const done = new Set<string>();
  const visit = (module: string, chain: readonly string[]): string | undefined => {
    if (chain.includes(module)) return [...chain.slice(chain.indexOf(module)), module].join(" -> ");
    if (done.has(module)) return undefined;
    for (const next of modules.get(module)?.all ?? []) {
      const circle = visit(next, [...chain, module]);
      if (circle) return circle;
    }
    done.add(module);
    return undefined;
  };
  for (const module of modules.keys()) {
    const circle = visit(module, []);
    if (circle) return [`Modules import each other in a circle, types included: ${circle}`];
  }
  return [];
}
