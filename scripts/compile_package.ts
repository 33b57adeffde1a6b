/**
 * Compiles the package with TypeScript alone, for machines that can't load dnt.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import ts from "npm:typescript@^6.0.0";
import { dntBuildOptions } from "./package.ts";

/** The packages that the compiled modules import, with their ranges, as in `package.json`. */
export type Dependencies = Readonly<Record<string, string>>;

/** A compiled module with imports that Node understands, and the packages among them. */
interface RewrittenModule {
  readonly text: string;
  readonly dependencies: Dependencies;
}

/**
 * Writes modules and declarations to `esm/` in a folder, and returns the packages that they import.
 *
 * @throws {Error} If the source has a type error under the compiler options of `dntBuildOptions`.
 */
export function compilePackage(folder: URL): Dependencies {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const { options, errors } = ts.convertCompilerOptionsFromJson({
    ...dntBuildOptions.compilerOptions,
    strict: true,
    declaration: true,
    module: "esnext",
    moduleResolution: "bundler",
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    types: ["node"],
    rootDir: root,
    outDir: fileURLToPath(new URL("esm/", folder)),
  }, root);
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) => ts.resolveModuleName(importedName(text), file, options, host));
  const program = ts.createProgram(
    dntBuildOptions.entryPoints.map(({ path }) => `${root}${path}`),
    options,
    host,
  );
  const dependencies: Record<string, string> = {};
  const { diagnostics } = program.emit(undefined, (path, text) => {
    const rewritten = rewriteImports(text);
    Object.assign(dependencies, rewritten.dependencies);
    ts.sys.writeFile(path, rewritten.text);
  });
  throwOnErrors([...errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics], root);
  return dependencies;
}

/** Turns `npm:ky@^2.1.0` into `ky`, and `./user.ts` into `./user.js` in declarations, where TypeScript does not. */
function rewriteImports(text: string): RewrittenModule {
  const dependencies: Record<string, string> = {};
  const rewritten = text.replace(
    /((?:^(?:import|export) (?:[^"]* from )?|\bimport\()")(npm:|\.)([^"]+)(?=")/gm,
    (_all, start: string, kind: string, rest: string) => {
      if (kind === ".") return `${start}.${rest.replace(/\.ts$/, ".js")}`;
      const [, name = "", range = ""] = npmSpecifier.exec(kind + rest) ?? [];
      dependencies[name] = range;
      return start + importedName(kind + rest);
    },
  );
  return { text: rewritten, dependencies };
}

/** Matches `npm:jose@^6.0.0/jwt/verify`: the name, the range, and the path in the package. */
const npmSpecifier = /^npm:((?:@[^/]+\/)?[^@/]+)@([^/]+)(.*)$/;

/** Turns `npm:jose@^6.0.0/jwt/verify` into `jose/jwt/verify`. */
function importedName(specifier: string): string {
  return specifier.replace(npmSpecifier, "$1$3");
}

function throwOnErrors(diagnostics: readonly ts.Diagnostic[], root: string): void {
  if (!diagnostics.length) return;
  throw new Error(ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (path) => path,
    getCurrentDirectory: () => root,
    getNewLine: () => "\n",
  }));
}
