/**
 * What the npm package is and how it is built, in one place for dnt and for the build without it.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import config from "../deno.json" with { type: "json" };
import { run } from "./command.ts";

/** Where the package is built; its content is not committed. */
export const packageDirectory = new URL("../npm/", import.meta.url);

/** The files that are copied into the package. */
export const documents = ["LICENSE", "README.md", "CHANGELOG.md"] as const;

/** A place the package can be imported from: its name there, and the module behind it. */
export interface EntryPoint {
  readonly name: string;
  readonly path: string;
}

/** The entry points, as `deno.json` has them. */
export const entryPoints: readonly EntryPoint[] = Object.entries(config.exports).map((
  [name, path],
) => ({ name, path }));

/** The program: `npx @guildpass/sdk` runs it, as there is only one. */
export const program: EntryPoint = { name: "guildpass", path: "./src/command/bin.ts" };

/** `package.json`, without the dependencies: the build reads those off the imports in the source. */
export const metadata = {
  name: config.name,
  version: config.version,
  description: "OAuth2 for Discord on every runtime that has fetch: " +
    "login links, code exchange, users, guilds and permission sets",
  keywords: ["discord", "oauth2", "oauth", "pkce", "login", "permissions", "fetch", "edge"],
  homepage: "https://github.com/guildpass/sdk#readme",
  repository: { type: "git", url: "git+https://github.com/guildpass/sdk.git" },
  bugs: { url: "https://github.com/guildpass/sdk/issues" },
  license: config.license,
  type: "module",
  // Nothing is executed at import, so a bundler may drop what a page does not use.
  sideEffects: false,
  engines: { node: ">=22" },
  // "default" rather than "import": Node's require() loads an ES module too, but only finds this condition.
  exports: Object.fromEntries(entryPoints.map(({ name, path }) => [name, {
    types: built(path, ".d.ts"),
    default: built(path, ".js"),
  }])),
  bin: { [program.name]: built(program.path, ".js").replace("./", "") },
};

/** The part of dnt's documented `BuildOptions` that is set here. */
export interface DntBuildOptions {
  readonly entryPoints: (EntryPoint & { readonly kind?: "bin" })[];
  readonly outDir: string;
  readonly cwd: string;
  readonly shims: Record<string, never>;
  readonly polyfills: boolean;
  readonly esModule: boolean;
  readonly scriptModule: false;
  readonly declaration: "inline";
  readonly typeCheck: "single";
  readonly test: boolean;
  readonly skipSourceOutput: boolean;
  readonly compilerOptions: Record<string, unknown>;
  readonly package: typeof metadata & { readonly devDependencies: Record<string, string> };
}

/** How dnt builds the package. */
export const dntBuildOptions: DntBuildOptions = {
  entryPoints: [...entryPoints, { kind: "bin", ...program }],
  outDir: "npm",
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  // None: the source uses Web platform APIs only, and Node 22 has them all. A shim would shadow the platform's own.
  shims: {},
  polyfills: false,
  // No CommonJS build: Node 22 requires ES modules, and two copies of a class would not be instances of each other.
  esModule: true,
  scriptModule: false,
  declaration: "inline",
  typeCheck: "single",
  // The suite runs against the packed package, in every runtime: `deno task test:runtimes`.
  test: false,
  // The source maps carry their source, so the package has each line of it once.
  skipSourceOutput: true,
  compilerOptions: {
    // The oldest that keeps `#private` as it is: a private field that is compiled away can be seen in a log.
    target: "ES2022",
    lib: ["ESNext", "DOM", "DOM.Iterable"],
    sourceMap: true,
    inlineSources: true,
    noImplicitReturns: true,
    noUncheckedIndexedAccess: true,
    useUnknownInCatchVariables: true,
  },
  // The types of what the program imports from Node are needed to check it, and are left out afterwards.
  package: {
    ...metadata,
    devDependencies: { "@types/node": config.imports["@types/node"].replace(/.*@/, "") },
  },
};

function built(path: string, extension: string): string {
  return path.replace(/^\.\//, "./esm/").replace(/\.ts$/, extension);
}

/**
 * Builds and packs the package, and gives the tarball's path. In a process of its own, because dnt needs packages that
 * `node_modules` does not have, and Deno takes them from its cache only for a whole process.
 */
export async function buildPackage(): Promise<string> {
  const printed = await run([Deno.execPath(), "task", "--quiet", "build:npm"]);
  return printed.trim();
}
