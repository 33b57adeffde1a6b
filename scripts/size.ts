/**
 * Measures the bytes that a page and a server import, minified and gzipped, beside the alternatives. Fails if a bundle
 * exceeds its budget, if a bundle for a page contains server code, or if a server loads too many modules.
 *
 * Our own modules count as a bundler counts those of the npm package, which is free of side effects.
 *
 * `deno task size` installs the alternatives and measures everything; `deno task size --own` measures only ours, and with `--json`
 * prints the tables for other scripts.
 * `scripts/lab/comparisons/speed/entries/` has the imports of each row.
 *
 * @module
 */

import { build, type BuildOptions, type Plugin, stop } from "esbuild";
import { builtinModules } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import configuration from "../deno.json" with { type: "json" };
import { packageFolders, pageEntryPoints } from "./architecture.ts";
import { npmSpecifiers } from "./page_bundle.ts";
import {
  entries,
  imageFunctionBudget,
  pages,
  servers,
  sessionClientBudget,
} from "./size_budgets.ts";

/** The packages, which do not count in most budgets of a server. */
const packages = Object.keys(packageFolders);

/** A replacement for the module that reads permissions in every form, to measure the cost of that module. */
const numbersOnly = "export const permissionValue = (value) => BigInt(value);";

/** Texts that only server code contains, also after minification. */
const serverWords = [
  "fetch(",
  ".fetch",
  "client_secret",
  "Authorization",
  "authorization:",
  "Basic ",
];

const root = fileURLToPath(new URL("..", import.meta.url));

const failures: string[] = [];

const ownSizes = { pages: await measurePages(), servers: await measureServers() };
if (Deno.args.includes("--json")) console.log(JSON.stringify(ownSizes));
else printSizes(ownSizes);
if (!Deno.args.includes("--own")) {
  await installAlternatives();
  await compare("A page that builds a link", "link");
  await compare("A server that exchanges a code and reads the user", "login");
}
await stop();
for (const failure of failures) console.error(`FAILED: ${failure}`);
Deno.exit(failures.length ? 1 : 0);

/** Compares the bundles for pages to their budgets, and searches them for server code. Returns the rows of a table. */
async function measurePages() {
  const measure = async (imports: string, path: string, budget?: number) => {
    const code = await bundle(everythingIn(path));
    for (const word of serverWords) {
      if (code.includes(word)) failures.push(`the bundle of ${imports} contains "${word}"`);
    }
    return { imports, bytes: withinBudget(imports, code, budget), ...(budget && { budget }) };
  };
  const rows = [];
  for (const { imports, path, budget } of pages) rows.push(await measure(imports, path, budget));
  for (const name of pageEntryPoints) {
    rows.push(await measure(`everything from ${name}`, configuration.exports[name]));
  }
  rows.push(await measureLargestImageFunction());
  const sessionClient = await bundle(everythingIn(configuration.exports["./browser"]));
  rows.push({
    imports: "SessionClient",
    bytes: withinBudget("SessionClient", sessionClient, sessionClientBudget),
    budget: sessionClientBudget,
  });
  const numbers = await bundle(everythingIn(pages[1].path), { plugins: [replacePermissions()] });
  rows.push({
    imports: "AuthUrl, if it took permissions as numbers only",
    bytes: gzippedSize(numbers),
  });
  return rows;
}

/** Compares each function of `./images` to its budget, and returns the largest. */
async function measureLargestImageFunction() {
  const rows = [];
  for (const name of Object.keys(await import("../src/images/mod.ts"))) {
    const code = await bundle(`export { ${name} } from "${configuration.exports["./images"]}"`);
    const bytes = withinBudget(name, code, imageFunctionBudget);
    rows.push({ imports: `${name}, the largest of ./images`, bytes, budget: imageFunctionBudget });
  }
  rows.sort((a, b) => b.bytes - a.bytes);
  return rows[0];
}

/** Compares the bundles for servers to their budgets. Returns the rows of a table. */
async function measureServers() {
  const rows = [];
  for (const { imports, from, budget, fileBudget, moduleBudget = Infinity } of servers) {
    const code = `export { ${imports} } from "${configuration.exports[from]}"`;
    const own = await bundle(code, { external: packages });
    const file = await bundle(code);
    const modules = await countModules(code);
    if (modules > moduleBudget) {
      failures.push(`${imports}: ${modules} modules, and the budget is ${moduleBudget}`);
    }
    rows.push({
      imports,
      bytes: withinBudget(imports, own, budget),
      budget,
      "in one file": withinBudget(`${imports}, in one file`, file, fileBudget),
      "budget of the file": fileBudget ?? "",
      modules,
    });
    if (imports === "PlatformApi, User" && !serverWords.some((word) => own.includes(word))) {
      failures.push("the server bundle contains no word of serverWords, so they guard nothing");
    }
  }
  return rows;
}

function printSizes({ pages, servers }: typeof ownSizes): void {
  console.log("Pages");
  console.table(pages);
  console.log(
    "Servers: the bytes of our own code, and of one file with the packages, as a Worker has it; and the modules that Node loads without a bundler",
  );
  console.table(servers);
}

/** Returns the bytes of a bundle, and notes a failure if they exceed the budget. */
function withinBudget(imports: string, code: string, budget = Infinity): number {
  const bytes = gzippedSize(code);
  if (bytes > budget) failures.push(`${imports}: ${bytes} bytes, and the budget is ${budget}`);
  return bytes;
}

/** Installs the alternatives. Their folder has a lock file of its own, so that no other task installs them. */
async function installAlternatives(): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet", "--frozen"],
    cwd: `${root}scripts/lab`,
  });
  const { success } = await command.spawn().status;
  if (!success) throw new Error("Could not install the alternatives");
}

/** Prints the size of every entry in a folder, the smallest first. The first line of an entry describes it. */
async function compare(title: string, folder: string): Promise<void> {
  const rows = [];
  for (const { name } of Deno.readDirSync(root + entries + folder)) {
    const path = `${entries}${folder}/${name}`;
    const [comment = ""] = Deno.readTextFileSync(root + path).split("\n");
    rows.push({
      entry: name.replace(".ts", ""),
      bytes: gzippedSize(await bundle(everythingIn(path))),
      contains: comment.replace("// ", ""),
    });
  }
  console.log(`${title} (scripts/lab/comparisons/speed/entries/${folder}/)`);
  console.table(rows.sort((a, b) => a.bytes - b.bytes));
}

function everythingIn(path: string): string {
  return `export * from "${path}"`;
}

interface BundleOptions {
  readonly plugins?: readonly Plugin[];
  readonly external?: readonly string[];
}

/** Bundles code that imports by paths of the root folder, as the published package is bundled. */
async function bundle(
  code: string,
  { plugins = [], external = [] }: BundleOptions = {},
): Promise<string> {
  const { outputFiles: [output] } = await build({
    ...optionsFor(code),
    target: "es2022",
    platform: "browser",
    // Node's own modules, which discord.js imports, do not count.
    external: [...external, ...builtinModules, "node:*"],
    plugins: [npmSpecifiers(), ownModules(), ...plugins],
  });
  return output?.text ?? "";
}

/** Counts the modules that a runtime without a bundler loads for code. */
async function countModules(code: string): Promise<number> {
  const { metafile: { inputs } } = await build({
    ...optionsFor(code),
    metafile: true,
    // A runtime also loads modules that are free of side effects.
    ignoreAnnotations: true,
    plugins: [npmSpecifiers()],
  });
  return Object.keys(inputs).filter((path) => path !== "<stdin>").length;
}

function optionsFor(code: string) {
  return {
    stdin: { contents: code, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    logLevel: "error",
  } as const satisfies BuildOptions;
}

/** Marks the library's modules as free of side effects, as `package.json` of the npm package does. */
function ownModules(): Plugin {
  return {
    name: "no side effects",
    setup({ onResolve }): void {
      onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
        const file = resolve(resolveDir, path);
        const isOwn = file === `${root}mod.ts` || file.startsWith(`${root}src/`);
        return isOwn ? { path: file, sideEffects: false } : null;
      });
    },
  };
}

function replacePermissions(): Plugin {
  return {
    name: "numbers only",
    setup({ onLoad }): void {
      onLoad({ filter: /permissions.permission_input\.ts$/ }, () => ({ contents: numbersOnly }));
    },
  };
}

/** Returns the bytes of a text after `gzip -9`. */
function gzippedSize(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}
