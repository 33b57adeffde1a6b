/**
 * The content of the npm package and the options of its build, for dnt and for the build without it.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import config from "../deno.json" with { type: "json" };
import { run } from "./command.ts";

/** The folder of the build. Its content is not committed. */
export const packageDirectory = new URL("../npm/", import.meta.url);

/** The files of the repository that are copied into the package. */
export const documents = ["LICENSE", "README.md", "CHANGELOG.md"] as const;

/** A name that users import the package by, and the source module behind it. */
export interface EntryPoint {
  readonly name: string;
  readonly path: string;
}

/** The entry points, as `deno.json` has them. */
export const entryPoints: readonly EntryPoint[] = Object.entries(config.exports).map((
  [name, path],
) => ({ name, path }));

/** The program. It is the only one in the package, so `npx @guildpass/sdk` runs it. */
export const program: EntryPoint = { name: "guildpass", path: "./src/command/bin.ts" };

/** The path in the package of a source module's JavaScript or declarations. */
export function builtPath(source: string, extension: ".js" | ".d.ts"): string {
  return source.replace(/^\.\//, "./esm/").replace(/\.ts$/, extension);
}

/** `package.json` without the dependencies, which the build reads from the imports in the source. */
export const metadata = {
  name: config.name,
  version: config.version,
  description: "Log in with Discord on every runtime that has fetch: " +
    "OAuth2, sessions, token refresh, users, guilds, permissions and bot invite links",
  keywords: [
    "discord",
    "log in with discord",
    "discord login",
    "discord oauth2",
    "oauth2",
    "oauth",
    "pkce",
    "login",
    "session",
    "permissions",
    "bot invite",
    "edge",
  ],
  homepage: "https://github.com/guildpass/sdk#readme",
  repository: { type: "git", url: "git+https://github.com/guildpass/sdk.git" },
  bugs: { url: "https://github.com/guildpass/sdk/issues" },
  license: config.license,
  type: "module",
  // No module executes anything at import, so a bundler may drop those that are not used.
  sideEffects: false,
  engines: { node: ">=22" },
  exports: {
    // "default" rather than "import": Node's require() loads an ES module too, but only finds this condition.
    ...Object.fromEntries(entryPoints.map(({ name, path }) => [name, {
      types: builtPath(path, ".d.ts"),
      default: builtPath(path, ".js"),
    }])),
    "./package.json": "./package.json",
  },
  // TypeScript ignores `exports` under `moduleResolution: node10`, the default of its versions before 6 for CommonJS.
  main: builtPath(config.exports["."], ".js"),
  types: builtPath(config.exports["."], ".d.ts"),
  typesVersions: {
    "*": Object.fromEntries(
      entryPoints.filter(({ name }) => name !== ".").map(({ name, path }) => [
        name.replace("./", ""),
        [builtPath(path, ".d.ts")],
      ]),
    ),
  },
  bin: { [program.name]: builtPath(program.path, ".js").replace("./", "") },
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

/** The options that dnt builds the package with. */
export const dntBuildOptions: DntBuildOptions = {
  entryPoints: [...entryPoints, { kind: "bin", ...program }],
  outDir: "npm",
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  // The source uses Web platform APIs only, and Node 22 has them all. A shim would shadow them.
  shims: {},
  polyfills: false,
  // There is no CommonJS build: Node 22 requires ES modules, and `instanceof` fails between two copies
  // of a class.
  esModule: true,
  scriptModule: false,
  declaration: "inline",
  typeCheck: "single",
  // `deno task test:runtimes` runs tests against the packed package in every runtime.
  test: false,
  skipSourceOutput: true,
  compilerOptions: {
    // The oldest target that keeps `#private`: a log shows a private field that was compiled to another form.
    target: "ES2022",
    lib: ["ESNext", "DOM", "DOM.Iterable"],
    // The JavaScript is the source without types, so it can be read and debugged as it is.
    sourceMap: false,
    // Schemas are internal: a declaration that has one would make every compiler check valibot's declarations.
    stripInternal: true,
    noImplicitReturns: true,
    noUncheckedIndexedAccess: true,
    useUnknownInCatchVariables: true,
  },
  // dnt needs the types of Node's modules to check the program. The build leaves them out of `package.json`.
  package: {
    ...metadata,
    devDependencies: { "@types/node": config.imports["@types/node"].replace(/.*@/, "") },
  },
};

/**
 * Builds and packs the package with its task, and returns the path of the tarball.
 *
 * If the environment variable `GUILDPASS_PACKAGE` has the absolute path of a tarball, returns that one instead. `.ci/run` builds the
 * package once and sets the variable for all later tasks, so these can also run at the same time.
 */
export async function buildPackage(): Promise<string> {
  const built = Deno.env.get("GUILDPASS_PACKAGE");
  if (built) return built;
  await run([Deno.execPath(), "task", "--quiet", "build:npm"]);
  return findTarball();
}

/** Returns the path of the tarball in the folder of the build. */
export function findTarball(): string {
  const tarball = [...Deno.readDirSync(packageDirectory)].find(({ name }) => name.endsWith(".tgz"));
  if (!tarball) throw new Error(`Could not find a tarball in ${fileURLToPath(packageDirectory)}`);
  return fileURLToPath(new URL(tarball.name, packageDirectory));
}
