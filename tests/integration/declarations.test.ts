import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import config from "../../deno.json" with { type: "json" };

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The global names of the Fetch API, which the types of Node 22 have too. Those do not have `CryptoKey`, for example. */
const namesOfNode = [
  "AbortSignal",
  "Headers",
  "ReadableStream",
  "Request",
  "RequestInit",
  "Response",
  "URL",
  "URLSearchParams",
  "crypto",
];

/** The end of the name of a source file. */
const source = /(?<!\.d)\.ts$/;

test(
  "The declarations need no DOM types, since the types of Node have every global name that they use",
  () => {
    const entryPoints = Object.values(config.exports).map((path) =>
      root + path.replace(/^\.\//, "")
    );
    const missing = missingNames(
      declarationsOf(entryPoints),
      entryPoints.map((path) => path.replace(source, ".d.ts")),
    );
    expect(missing).toContain("Request");
    expect(missing.filter((name) => !namesOfNode.includes(name))).toEqual([]);
  },
  60_000,
);

/** Compiles the source, and returns its declarations by path. */
function declarationsOf(entryPoints: readonly string[]): ReadonlyMap<string, string> {
  const { config } = ts.readConfigFile(`${root}tests/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, `${root}tests`);
  const declarations = new Map<string, string>();
  const emitting = { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true };
  ts.createProgram(entryPoints, emitting)
    .emit(undefined, (path, text) => declarations.set(path, text));
  return declarations;
}

/** Compiles declarations without the types of any platform, and returns the global names that they lack. */
function missingNames(
  declarations: ReadonlyMap<string, string>,
  entryPoints: readonly string[],
): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts"],
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  // The declarations import "./user.ts", and mean "./user.d.ts".
  host.fileExists = (path) =>
    declarations.has(path) ||
    (!declarations.has(path.replace(source, ".d.ts")) && fileExists(path));
  host.readFile = (path) => declarations.get(path) ?? readFile(path);
  host.getSourceFile = (path, version) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram(entryPoints, options, host);
  const names = program.getSemanticDiagnostics()
    .filter(({ file }) => file && declarations.has(file.fileName))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
    .filter((message) => !message.startsWith("Cannot find module 'npm:"))
    .map((message) => /^Cannot find name '(\w+)'/.exec(message)?.[1] ?? message);
  return [...new Set(names)].sort();
}
