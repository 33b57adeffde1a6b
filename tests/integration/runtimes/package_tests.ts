/**
 * Tests of the packed package itself: its files, its manifest, the checks of publishing tools, and tree shaking.
 *
 * @module
 */

import { build, type BuildOptions, version } from "esbuild";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import config from "../../../deno.json" with { type: "json" };
import { isPageSafe } from "../../../scripts/architecture.ts";
import { pageFile, pageFileEntryPoints } from "../../../scripts/bundle_page_file.ts";
import { run } from "../../../scripts/command.ts";
import { filesBelow } from "../../../scripts/files.ts";
import { builtPath, documents, program } from "../../../scripts/package.ts";
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
    {
      runtime: "esbuild",
      title: "tree shaking keeps only the used part of a chunk",
      run: () => checkPurity(project),
    },
    {
      runtime: "esbuild",
      title: "one file for a Worker has nothing to load later",
      run: () => checkOneFile(project),
    },
    {
      runtime: "esbuild",
      title: "a server with splitting loads parts later",
      run: () => checkSplitting(project),
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
    ...[...Object.values(config.exports), program.path].map((path) =>
      `esm/${path.slice(2).replace(/ts$/, "js")}`
    ),
    ...found.filter((path) => /^esm\/(?:chunks|later|at_once)\/\w+\.js$/.test(path)),
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
    if (text.includes("/examples/demo/") && !programsOfDemo.includes(path)) {
      problems.push(`${path} loads the demo, which only the program may do`);
    }
    const [ofPackage] = (path.endsWith(".d.ts") ? importOfPackage.exec(text) : null) ?? [];
    if (ofPackage) problems.push(`${path} makes every compiler load a package: ${ofPackage}`);
  }
  problems.push(...await misplacedModules(project, found));
  if (problems.length) throw new Error(problems.join("\n"));
  return `${found.length} files`;
}

/** The files of the demo: the module that the program loads, and the files of the demo's pages. */
const demoFiles = [
  "esm/examples/demo/start.js",
  "esm/examples/demo/guild_filter/main.js",
  "esm/examples/invite_builder/index.html",
  "esm/examples/invite_builder/main.js",
  "esm/examples/invite_builder/style.css",
];

/** The recipes of `guildpass init`, which are TypeScript of applications. */
const recipes = recipeFiles.map((path) => `esm/${path}`);

/** The files that may name the demo. */
const programsOfDemo = [builtPath(program.path, ".js").replace("./", "")];

/** An import of a TypeScript file or by `npm:`, also within the type that TypeScript infers; not in a comment. */
const importOfSource = /^(?! ?\/?\*).*\b(?:from |import |import\()"(?:\.[^"]*\.ts|npm:[^"]*)"/m;

/** An import of a package, also within a type; not in a comment. */
const importOfPackage = /^(?!\s*\/?\*).*\b(?:from |import |import\()"[^."][^"]*"/m;

/**
 * Finds the modules of the library that are not in the package, or more than once. Each must be in one file, so that an error is an
 * instance of its class whichever entry point the class is imported from. A module that is in none is dead code, unless it has only types.
 */
async function misplacedModules(project: Project, files: readonly string[]): Promise<string[]> {
  const places = new Map<string, string[]>();
  for (const path of files.filter((file) => file.endsWith(".js"))) {
    for (const module of await modulesIn(inPackage(project, path))) {
      places.set(module, [...places.get(module) ?? [], path]);
    }
  }
  const source = filesBelow(new URL("../../../src/", import.meta.url)).map((path) => `src/${path}`);
  const withCode = source.filter((module) => hasCode(Deno.readTextFileSync(inRepository(module))));
  return [
    ...withCode.filter((module) => !places.has(module)).map((module) => `${module} is in no file`),
    ...[...places].filter(([, paths]) => paths.length > 1)
      .map(([module, paths]) => `${module} is in ${paths.join(" and ")}`),
  ];
}

/** Returns true if the text of a module declares more than types. */
function hasCode(text: string): boolean {
  return /^(?:export )?(?:async )?(?:class|const|function)\b/m.test(text);
}

/** Returns the modules in a file of the package, by the comments with their names. */
async function modulesIn(path: string): Promise<ReadonlySet<string>> {
  const text = await Deno.readTextFile(path);
  const names = text.matchAll(/^\/\/ (src\/[\w/]+)\.js$/gm);
  return new Set([...names].map(([, module]) => `${module}.ts`));
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
  const guide = await Deno.readTextFile(inRepository("docs/pages_without_a_bundler.md"));
  if (!guide.includes(`${kilobytes} kB if your server compresses it`)) {
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
  const modules = await Promise.all(files.map((path) => modulesIn(`${project.directory}/${path}`)));
  const found = modules.flatMap((names) => [...names]);
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

/** Bundles a class without checks of responses, from a chunk with such checks. */
async function checkPurity(project: Project): Promise<[string, string]> {
  const { text, files } = await bundleOf(project, `export { TokenSource } from "${config.name}";`);
  const unused = files.filter((path) => path.includes("/valibot/"));
  if (unused.length) throw new Error(`TokenSource loads ${unused.join(", ")} too`);
  return [version, `${gzipSync(text, { level: 9 }).length} bytes, gzipped`];
}

const importsOfServer = `export { Login, PlatformApi, User } from "${config.name}";`;

/** Bundles a server as wrangler does. A function around each module, which a later import of it needs, would cost time and bytes. */
async function checkOneFile(project: Project): Promise<[string, string]> {
  const { text } = await bundleOf(project, importsOfServer, { conditions: ["workerd"] });
  const { text: split } = await bundleOf(project, importsOfServer, { platform: "node" });
  const wrapped = /\bimport\(|Promise\.resolve\(\)\.then\(\(\)=>\(/;
  if (wrapped.test(text)) {
    throw new Error(`The file loads a part later: ${wrapped.exec(text)?.[0]}`);
  }
  if (!wrapped.test(split)) {
    throw new Error("A file without the condition loads nothing later, so this test finds nothing");
  }
  return [version, `${gzipSync(text, { level: 9 }).length} bytes, gzipped`];
}

/** Bundles a server for a runtime that can load parts of it. */
async function checkSplitting(project: Project): Promise<[string, string]> {
  const { text, files } = await bundleOf(project, `export { Login } from "${config.name}/login";`, {
    platform: "node",
    splitting: true,
  });
  const early = files.filter((path) => /\/(?:ky|jose|valibot)\/|\/chunks\/messages\./.test(path));
  if (early.length) throw new Error(`The server loads ${early.join(", ")} at the start`);
  return [version, `${gzipSync(text, { level: 9 }).length} bytes at the start, gzipped`];
}

/** Bundles code for a page, and lists the files of packages that it loads at the start. */
async function bundleOf(
  { directory }: Project,
  contents: string,
  options: BuildOptions = {},
): Promise<{ readonly text: string; readonly files: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    ...options,
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
  const first = Object.entries(metafile.outputs).filter(([, output]) =>
    output.entryPoint === "<stdin>"
  );
  const loaded = new Set(first.map(([path]) => path));
  for (const path of loaded) {
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(next);
    }
  }
  const files = [...loaded].flatMap((path) => Object.entries(metafile.outputs[path]?.inputs ?? {}))
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path !== "<stdin>")
    .map(([path]) => path);
  const isLoaded = (path: string) => [...loaded].some((name) => path.endsWith(`/${name}`));
  const texts = outputFiles.filter(({ path }) => isLoaded(path)).map(({ text }) => text);
  return { text: texts.join("\n"), files };
}

async function versionIn(manifest: string): Promise<string> {
  return JSON.parse(await Deno.readTextFile(manifest)).version;
}
