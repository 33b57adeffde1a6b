/**
 * Tests of the packed package itself: its files, its manifest, the checks of publishing tools, and tree shaking.
 *
 * @module
 */

import { build, version } from "esbuild";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import config from "../../../deno.json" with { type: "json" };
import { isPageSafe } from "../../../scripts/architecture.ts";
import { pageFile, pageFileEntryPoints } from "../../../scripts/bundle_page_file.ts";
import { run } from "../../../scripts/command.ts";
import { filesBelow } from "../../../scripts/files.ts";
import { builtPath, documents } from "../../../scripts/package.ts";
import { recipeFiles } from "../../../src/command/recipes.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, installed } from "./tools.ts";

/** Creates the tests for a project with the package in it. */
export function packageTests(project: Project): RuntimeTest[] {
  return [
    {
      runtime: "package",
      title: "contains the right files and imports",
      run: async () => [config.version, await checkFiles(project)],
    },
    {
      runtime: "package",
      title: "package.json agrees with deno.json",
      run: async () => [config.version, await checkManifest(project)],
    },
    {
      runtime: "package",
      title: "the file for pages without a bundler",
      run: async () => [config.version, await checkPageFile(project)],
    },
    tool("publint", "publint", "--strict", ["publint/src/cli.js", "run", project.tarball]),
    // From a CommonJS module, require() loads the ES module: that is what the rule warns of.
    tool("attw", "@arethetypeswrong/cli", "--profile strict --ignore-rules cjs-resolves-to-esm", [
      "@arethetypeswrong/cli/dist/index.js",
      project.tarball,
    ]),
    {
      runtime: "esbuild",
      title: "tree shaking keeps server code out of a page",
      run: () => checkTreeShaking(project),
    },
  ];
}

/** Returns the path of a file in the installed package. */
function inPackage({ directory }: Project, path = ""): string {
  return `${directory}/node_modules/${config.name}/${path}`;
}

async function checkFiles(project: Project): Promise<string> {
  const found = (await run(["tar", "-tzf", project.tarball])).trim().split("\n")
    .map((path) => path.replace("package/", ""));
  const expected = new Set([
    "package.json",
    ...documents,
    ...found.filter((path) => path.endsWith(".js") && hasSource(path)),
    ...modulesWithCode().map((module) => `esm/${module.replace(/ts$/, "js")}`),
    pageFile,
    ...demoFiles,
    ...recipes,
    ...await publicDeclarations(project),
  ]);
  const root = inRepository("");
  const problems = [
    ...found.filter((path) => !expected.has(path)).map((path) => `${path} is not expected`),
    ...[...expected].filter((path) => !found.includes(path)).map((path) => `${path} is missing`),
  ];
  for (const path of found.filter((path) => path.startsWith("esm/"))) {
    const text = await Deno.readTextFile(inPackage(project, path));
    const absolute = [root, "file://"].find((start) => text.includes(start));
    if (absolute) problems.push(`${path} holds a path of this machine: ${absolute}`);
    const [source] = (recipes.includes(path) ? null : importOfSource.exec(text)) ?? [];
    if (source) {
      problems.push(`${path} imports a specifier that only the source may have: ${source}`);
    }
    if (path.endsWith(".js") && importLater.test(text) && path !== demoLoader) {
      problems.push(`${path} loads a module later, which only the program's demo may do`);
    }
    if (path.endsWith(".d.ts") && /@default \{(?!@link)/.test(text)) {
      problems.push(`${path} makes editors show braces around a default`);
    }
    const [ofPackage] = (path.endsWith(".d.ts") ? importOfPackage.exec(text) : null) ?? [];
    if (ofPackage) problems.push(`${path} makes every compiler load a package: ${ofPackage}`);
  }
  const bytes = found.reduce((sum, path) => sum + Deno.statSync(inPackage(project, path)).size, 0);
  if (bytes > maxBytes) problems.push(`The package has ${bytes} bytes, and may have ${maxBytes}`);
  if (problems.length) throw new Error(problems.join("\n"));
  return `${found.length} files, ${(bytes / 1e6).toFixed(2)} MB`;
}

/** The most bytes of the unpacked package. */
const maxBytes = 1_977_000;

/** The files of the demo that are not built from a module at the same path. */
const demoFiles = [
  "esm/examples/invite_builder/index.html",
  "esm/examples/invite_builder/style.css",
];

/** The recipes of `guildpass init`, which are TypeScript of applications. */
const recipes = recipeFiles.map((path) => `esm/${path}`);

/** The module of the program that loads the demo, at the command `demo` only. */
const demoLoader = "esm/src/command/serve_demo.js";

/** An import of a TypeScript file or by `npm:`, also within the type that TypeScript infers; not in a comment. */
const importOfSource = /^(?! ?\/?\*).*\b(?:from |import |import\()"(?:\.[^"]*\.ts|npm:[^"]*)"/m;

/** An import at run time; not in a comment. */
const importLater = /^(?!\s*\/?[*/]).*\bimport\(/m;

/** An import of a package, also within a type; not in a comment. */
const importOfPackage = /^(?!\s*\/?\*).*\b(?:from |import |import\()"[^."][^"]*"/m;

/** Returns true if a JavaScript file is built from a module of the library or of the demo. */
function hasSource(path: string): boolean {
  const module = inRepository(path.replace("esm/", "").replace(/js$/, "ts"));
  return /^esm\/(?:mod\.js$|src\/|examples\/)/.test(path) && existsSync(module);
}

/** Lists the modules of the library that declare more than types. One that is not in the package is dead code. */
function modulesWithCode(): string[] {
  return filesBelow(new URL("../../../src/", import.meta.url)).map((path) => `src/${path}`)
    .filter((module) =>
      /^(?:export )?(?:async )?(?:class|const|function)\b/m.test(
        Deno.readTextFileSync(inRepository(module)),
      )
    );
}

/** Lists the declarations of the entry points, and all that these import. */
async function publicDeclarations(project: Project): Promise<string[]> {
  const declarations = new Set(
    Object.values(config.exports).map((path) => `esm/${path.slice(2).replace(/ts$/, "d.ts")}`),
  );
  for (const path of declarations) {
    const text = await Deno.readTextFile(inPackage(project, path)).catch(() => "");
    for (const [, specifier = ""] of text.matchAll(/ from "(\.[^"]+)\.js"/g)) {
      const { pathname } = new URL(`${specifier}.d.ts`, `file:///${path}`);
      declarations.add(pathname.slice(1));
    }
  }
  return [...declarations];
}

/** Compares the file for pages with the entry points, and its size with the guide. */
async function checkPageFile(project: Project): Promise<string> {
  const found = await import(`file://${inPackage(project, pageFile)}`);
  for (const name of pageFileEntryPoints) {
    const path = inPackage(project, builtPath(config.exports[name], ".js"));
    for (const exported of Object.keys(await import(`file://${path}`))) {
      if (!(exported in found)) throw new Error(`${pageFile} lacks ${exported} of ${name}`);
    }
  }
  const code = await Deno.readFile(inPackage(project, pageFile));
  const kilobytes = Math.round(gzipSync(code, { level: 9 }).length / 1000);
  const guide = await Deno.readTextFile(inRepository("docs/single_page_apps.md"));
  if (!guide.replace(/\s+/g, " ").includes(`${kilobytes} kB if your server compresses it`)) {
    throw new Error(`The guide does not say that ${pageFile} has ${kilobytes} kB`);
  }
  return `${Object.keys(found).length} exports, ${kilobytes} kB`;
}

async function checkManifest(project: Project): Promise<string> {
  const found = JSON.parse(await Deno.readTextFile(inPackage(project, "package.json")));
  const imports: Readonly<Record<string, string>> = config.imports;
  const dependencies: Readonly<Record<string, string>> = found.dependencies;
  const expected = {
    name: config.name,
    version: config.version,
    license: config.license,
    exports: [...Object.keys(config.exports), "./package.json"],
    dependencies: Object.keys(dependencies).map((name) => imports[name]),
    sideEffects: false,
    engines: { node: ">=22" },
    repository: "git+https://github.com/guildpass/sdk.git",
  };
  const actual = {
    name: found.name,
    version: found.version,
    license: found.license,
    exports: Object.keys(found.exports),
    dependencies: Object.entries(dependencies).map(([name, range]) => `npm:${name}@${range}`),
    sideEffects: found.sideEffects,
    engines: found.engines,
    repository: found.repository.url,
  };
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}\nfound    ${JSON.stringify(actual)}`);
  }
  return `${actual.exports.length} entry points, ${actual.dependencies.length} dependencies`;
}

/** Creates a test by a tool that ends with an error if it finds a problem. */
function tool(
  runtime: string,
  name: string,
  flags: string,
  [program, ...args]: readonly [string, ...string[]],
): RuntimeTest {
  return {
    runtime,
    title: flags,
    async run() {
      await run([binaryOf("node24"), installed(program), ...args, ...flags.split(" ")]);
      return [await versionIn(installed(`${name}/package.json`)), "no problem"];
    },
  };
}

function inRepository(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

/** Bundles a page with two classes from the main entry point, which exports the code for servers too. */
async function checkTreeShaking(project: Project): Promise<[string, string]> {
  const { text, files } = await bundleOf(
    project,
    `import { Bot, Permissions } from "${config.name}";
    document.title = new Bot(document.title, new Permissions().general()).href;`,
  );
  const found = files.map((path) => path.replace(/^.*\/esm\//, "").replace(/js$/, "ts"));
  if (!found.includes("src/links/bot.ts")) {
    throw new Error("The page does not have the module of Bot, so this test finds no module");
  }
  const serverModules = found.filter((module) => !isPageSafe(module));
  if (serverModules.length) {
    throw new Error(`A page that builds a bot link loads ${serverModules.join(", ")} too`);
  }
  if (!/#\w/.test(text)) {
    throw new Error("The build compiled private fields to a form that a log shows");
  }
  return [version, `${gzipSync(text, { level: 9 }).length} bytes, gzipped`];
}

/** Bundles code for a page, and lists the files of packages in it. */
async function bundleOf(
  { directory }: Project,
  contents: string,
): Promise<{ readonly text: string; readonly files: readonly string[] }> {
  const { outputFiles: [output], metafile } = await build({
    stdin: { contents, resolveDir: directory },
    absWorkingDir: directory,
    bundle: true,
    outdir: "out",
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    logLevel: "error",
  });
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path !== "<stdin>")
    .map(([path]) => path);
  return { text: output?.text ?? "", files };
}

async function versionIn(manifest: string): Promise<string> {
  return JSON.parse(await Deno.readTextFile(manifest)).version;
}
