/**
 * Bundles the JavaScript of the built package: its entry points, the program, and the chunks that these share. A runtime without a
 * bundler loads about twenty files instead of more than a hundred.
 *
 * The declarations stay as they are, one for each module.
 *
 * @module
 */

import { build, type Metafile, stop } from "esbuild";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "npm:typescript@^6.0.0";
import { filesBelow } from "./files.ts";

/** The folder of the chunks, below `esm/`. */
const chunkFolder = "chunks";

/**
 * Replaces the JavaScript in a folder by a file for each entry point, at its old path, and chunks.
 *
 * @param entries The paths of the entry points in the folder.
 */
export async function bundlePackage(folder: URL, entries: readonly string[]): Promise<void> {
  const root = fileURLToPath(folder);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outbase: ".",
    outdir: ".",
    allowOverwrite: true,
    chunkNames: `${chunkFolder}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    packages: "external",
    // `bundleDemo()` writes these files afterwards.
    external: ["../../examples/*"],
    format: "esm",
    target: "es2022",
    platform: "neutral",
    plugins: [{
      name: "mark calls as pure",
      setup({ onLoad }): void {
        onLoad(
          { filter: /\.js$/ },
          ({ path }) => ({ contents: markPureValues(Deno.readTextFileSync(path)) }),
        );
      },
    }],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  await stop();
  for (const path of filesBelow(folder)) {
    if (path.endsWith(".js")) await Deno.remove(new URL(path, folder));
  }
  await Deno.mkdir(new URL(`${chunkFolder}/`, folder));
  const names = chunkNames(metafile);
  const rename = (text: string) =>
    text.replace(/\b\w+-[0-9A-Z]{8}\.js\b/g, (name) => names.get(name) ?? name);
  for (const { path, text } of outputFiles) await Deno.writeTextFile(rename(path), rename(text));
}

/**
 * Marks the values that a module computes at import as free of side effects, as `package.json` says that all modules are. A
 * bundler applies that to whole files only, so it would keep the unused parts of a chunk.
 */
function markPureValues(code: string): string {
  const source = ts.createSourceFile("module.js", code, ts.ScriptTarget.ESNext);
  const computed = source.statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => initializer && isComputed(initializer) ? [initializer] : []);
  return computed.reverse().reduce((text, initializer) => {
    const start = initializer.getStart(source);
    return `${text.slice(0, start)}/* @__PURE__ */ (() => (${
      text.slice(start, initializer.end)
    }))()${text.slice(initializer.end)}`;
  }, code);
}

/** Returns true if an expression runs code, or may run a getter, as bundlers see it. */
function isComputed(node: ts.Node): boolean {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  return ts.isCallExpression(node) || ts.isNewExpression(node) ||
    ts.isSpreadAssignment(node) || ts.isPropertyAccessExpression(node) ||
    ts.isTemplateExpression(node) ||
    ts.forEachChild(node, isComputed) === true;
}

/**
 * Names each chunk for the part of the library that most of it is of, as in `http.js`, or for its only module. Returns the names by those
 * that esbuild gave.
 */
function chunkNames({ outputs }: Metafile): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  const chunks = Object.entries(outputs).filter(([path]) => path.startsWith(`${chunkFolder}/`));
  for (const [path, { inputs }] of chunks.sort(([, a], [, b]) => b.bytes - a.bytes)) {
    const name = subjectOf(inputs);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    names.set(basename(path), `${name}${count > 1 ? `_${count}` : ""}.js`);
  }
  return names;
}

function subjectOf(inputs: Metafile["outputs"][string]["inputs"]): string {
  const [only, ...others] = Object.keys(inputs);
  if (only && others.length === 0) return basename(only, ".js");
  const bytes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const [, part = "all"] = path.replace(".js", "").split("/");
    bytes.set(part, (bytes.get(part) ?? 0) + bytesInOutput);
  }
  const [[largest] = ["all"]] = [...bytes].sort(([, a], [, b]) => b - a);
  return largest;
}
