/**
 * Bundles the JavaScript of the built package: its entry points, the program, and the chunks that these share. A runtime without a
 * bundler loads about twenty files instead of more than a hundred.
 *
 * Some chunks load others at their first use, with `import()`. In a bundle of one file, this saves nothing, and the bundler wraps each
 * shared module in a function. So each `import()` is in a small file of its own, beside another file with a static import. Bundlers for
 * Workers, where one file is usual, take the latter: see `loaderImports`.
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

/** The field `imports` of `package.json`. It chooses the functions that load chunks. Wrangler and Cloudflare's plugin for Vite set `workerd`. */
export const loaderImports = {
  "#later/*": {
    workerd: "./esm/at_once/*.js",
    // esbuild keeps what `import()` loads, also in modules that a page does not use.
    browser: "./esm/at_once/*.js",
    // Jest transforms a module when it is loaded. The first login of a test would take seconds.
    require: "./esm/at_once/*.js",
    default: "./esm/later/*.js",
  },
} as const;

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
  throwIfCircular(metafile);
  for (const name of [chunkFolder, "later", "at_once"]) {
    await Deno.mkdir(new URL(`${name}/`, folder));
  }
  const names = chunkNames(metafile);
  const rename = (text: string) =>
    text.replace(/\b\w+-[0-9A-Z]{8}\.js\b/g, (name) => names.get(name) ?? name);
  const write = (path: string, text: string) => Deno.writeTextFile(new URL(path, folder), text);
  const exportsOf = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [rename(path), output.exports]),
  );
  for (const { path, text } of outputFiles) {
    const { code, loaded } = withLoaders(rename(text));
    await Deno.writeTextFile(rename(path), code);
    for (const name of loaded) {
      const exports = exportsOf.get(`${chunkFolder}/${name}.js`);
      const module = exports ? `../${chunkFolder}/${name}.js` : name;
      await write(`later/${name}.js`, `export const load = () => import("${module}");\n`);
      const [imported, value] = exports
        ? [`{ ${exports.join(", ")} }`, `({ ${exports.join(", ")} })`]
        : ["* as loaded", "loaded"];
      await write(
        `at_once/${name}.js`,
        `import ${imported} from "${module}";\nexport const load = async () => ${value};\n`,
      );
    }
  }
}

/** Replaces each `import()` of a chunk or a package with a call of its loader. Returns the names of the loaded modules too. */
function withLoaders(text: string): { readonly code: string; readonly loaded: string[] } {
  const loaded = new Set<string>();
  const code = text.replace(
    /\bimport\("(?:\.\/|(?:\.\.\/)+chunks\/)?(\w+)(?:\.js)?"\)/g,
    (_all, name: string) => {
      loaded.add(name);
      return `load_${name}()`;
    },
  );
  const imports = [...loaded].map((name) =>
    `import { load as load_${name} } from "#later/${name}";\n`
  );
  return { code: imports.join("") + code, loaded: [...loaded] };
}

/**
 * Throws if a chunk imports itself through others, also if every `import()` were a static import. A class of one chunk could then extend
 * a class that is not there yet.
 */
function throwIfCircular({ outputs }: Metafile): void {
  const finished = new Set<string>();
  const visit = (path: string, importers: readonly string[]): void => {
    if (importers.includes(path)) {
      throw new Error(`A chunk imports itself: ${[...importers, path].join(" → ")}`);
    }
    if (finished.has(path)) return;
    for (const { path: next } of outputs[path]?.imports ?? []) visit(next, [...importers, path]);
    finished.add(path);
  };
  for (const path of Object.keys(outputs)) visit(path, []);
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
 * Names each chunk for the module behind an `import()`, for its only module, or for the largest part of the library in it, as in
 * `http.js`. Returns the names by those that esbuild gave.
 */
function chunkNames({ outputs }: Metafile): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  const chunks = Object.entries(outputs).filter(([path]) => path.startsWith(`${chunkFolder}/`));
  for (const [path, chunk] of chunks.sort(([, a], [, b]) => b.bytes - a.bytes)) {
    const name = subjectOf(chunk);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    names.set(basename(path), `${name}${count > 1 ? `_${count}` : ""}.js`);
  }
  return names;
}

function subjectOf({ entryPoint, inputs }: Metafile["outputs"][string]): string {
  const [only, ...others] = entryPoint === undefined ? Object.keys(inputs) : [entryPoint];
  if (only && others.length === 0) return basename(only, ".js");
  const bytes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const [, part = "all"] = path.replace(".js", "").split("/");
    bytes.set(part, (bytes.get(part) ?? 0) + bytesInOutput);
  }
  const [[largest] = ["all"]] = [...bytes].sort(([, a], [, b]) => b - a);
  return largest;
}
