/**
 * Compiles an application with every entry point of the packed package, in several versions of TypeScript and with the settings
 * of real applications, and runs the result in Node.
 *
 * @module
 */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../../../deno.json" with { type: "json" };
import { run } from "../../../scripts/command.ts";
import { docBlocks, guides } from "../../support/doc_blocks.ts";
import { programOfMistakes, unclearMessages } from "../../support/type_mistakes.ts";
import type { Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { binaryOf, installed, type TypeScript } from "./tools.ts";

/** Settings that the application is compiled with. */
interface Settings {
  readonly compiler: TypeScript;
  readonly module: string;
  readonly moduleResolution: string;
  /** Other compiler options, besides those of every application. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The oldest TypeScript that the README promises to support, the last one with `node10`, and the newest. */
const settings: readonly Settings[] = [
  { compiler: "typescript5.2", module: "commonjs", moduleResolution: "node10" },
  { compiler: "typescript5.2", module: "node16", moduleResolution: "node16" },
  { compiler: "typescript5.2", module: "nodenext", moduleResolution: "nodenext" },
  { compiler: "typescript5.2", module: "esnext", moduleResolution: "bundler" },
  {
    compiler: "typescript6",
    module: "commonjs",
    moduleResolution: "node10",
    options: { ignoreDeprecations: "6.0" },
  },
  { compiler: "typescript6", module: "commonjs", moduleResolution: "bundler" },
  { compiler: "typescript7", module: "commonjs", moduleResolution: "bundler" },
  { compiler: "typescript7", module: "node16", moduleResolution: "node16" },
  { compiler: "typescript7", module: "nodenext", moduleResolution: "nodenext" },
  { compiler: "typescript7", module: "esnext", moduleResolution: "bundler" },
];

/**
 * The most type instantiations that a compiler may need for the application and the declarations of all packages. The
 * declarations of valibot alone would need 175,000.
 */
const maxInstantiations = 50_000;

/** Creates the tests for a project with the package in it. */
export function typescriptTests(project: Project): RuntimeTest[] {
  return [
    ...settings.map((settings): RuntimeTest => ({
      runtime: displayName(settings.compiler),
      title: `module ${settings.module}, moduleResolution ${settings.moduleResolution}`,
      run: () => compileAndRun(project, settings),
    })),
    {
      runtime: displayName("typescript7"),
      title: "require() in a .cts file, module nodenext",
      run: () => compileRequire(project),
    },
    {
      runtime: displayName("typescript7"),
      title: "the code of the README and the guides",
      run: () => compileDocuments(project),
    },
    ...(["typescript6", "typescript7"] as const).map((compiler): RuntimeTest => ({
      runtime: displayName(compiler),
      title: "the settings of the first login",
      run: () => compileFirstLogin(project, compiler),
    })),
    ...(["typescript5.4", "typescript7"] as const).map((compiler): RuntimeTest => ({
      runtime: displayName(compiler),
      title: "the messages for usual mistakes",
      run: () => compileMistakes(project, compiler),
    })),
  ];
}

async function compileAndRun(
  project: Project,
  { compiler, module, moduleResolution, options }: Settings,
): Promise<[string, string]> {
  const output = `${project.directory}/${compiler}-${module}-${moduleResolution}`;
  const instantiations = await compile(project, compiler, `${output}.tsconfig.json`, {
    compilerOptions: {
      module,
      moduleResolution,
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      exactOptionalPropertyTypes: true,
      rootDir: project.directory,
      outDir: output,
      ...options,
    },
    files: [`${project.directory}/consumer.ts`],
  });
  // The project's own manifest says that its .js files are ES modules.
  const type = module === "commonjs" ? "commonjs" : "module";
  await Deno.writeTextFile(`${output}/package.json`, JSON.stringify({ type }));
  const printed = await run([binaryOf("node22"), `${output}/consumer.js`]);
  if (!printed.endsWith("every entry point works\n")) throw new Error(`It printed ${printed}`);
  if (instantiations > maxInstantiations) {
    throw new Error(`${instantiations} type instantiations, at most ${maxInstantiations} allowed`);
  }
  return [await versionOf(compiler), `${instantiations.toLocaleString("en")} instantiations`];
}

async function compileRequire(project: Project): Promise<[string, string]> {
  const file = `${project.directory}/required.cts`;
  await Deno.writeTextFile(
    file,
    `import { Permissions } from "${config.name}";
    import login = require("${config.name}/login");
    export const text: string = new Permissions().toString();
    export const constructor: typeof login.Login = login.Login;`,
  );
  await compile(project, "typescript7", `${project.directory}/required.tsconfig.json`, {
    compilerOptions: { module: "nodenext", target: "es2022", noEmit: true },
    files: [file],
  });
  return [await versionOf("typescript7"), "no problem"];
}

/** Compiles each block of the documents as a reader pastes it, beside the `environment.ts` that it may import. */
async function compileDocuments(project: Project): Promise<[string, string]> {
  // The tests of these packages compile the others.
  const blocks = ["README.md", ...guides].flatMap(docBlocks)
    .filter(({ code }) =>
      !/from "(express|hono|fastify|next-auth|discord-api-types)[/"]/.test(code)
    );
  const environment = blocks.find(({ file }) => file.endsWith("/environment.ts"));
  const files: string[] = [];
  for (const { file, code } of blocks) {
    const path = `${project.directory}/${file}`;
    files.push(path);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, `${code}\nexport {};\n`);
    await Deno.writeTextFile(`${dirname(path)}/environment.ts`, environment?.code ?? "");
  }
  const packages = fileURLToPath(new URL("../../../node_modules", import.meta.url));
  const byUrl = `https://raw.githubusercontent.com/guildpass/sdk/v${config.version}/mod.ts`;
  await compile(project, "typescript7", `${project.directory}/documents.tsconfig.json`, {
    compilerOptions: {
      module: "esnext",
      moduleResolution: "bundler",
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      typeRoots: [`${packages}/@types`],
      types: ["node"],
      paths: {
        [byUrl]: [`${project.directory}/node_modules/${config.name}/esm/mod.d.ts`],
        playwright: [`${packages}/playwright`],
      },
      allowImportingTsExtensions: true,
      noEmit: true,
    },
    files,
  });
  return [await versionOf("typescript7"), `${files.length} blocks`];
}

/** Compiles the application of the first login and its `environment.ts` with the `tsconfig.json` in that guide. */
async function compileFirstLogin(
  project: Project,
  compiler: TypeScript,
): Promise<[string, string]> {
  const path = "docs/first_login.md";
  const guide = await Deno.readTextFile(new URL(`../../../${path}`, import.meta.url));
  const [, settings = ""] = /^```json\n([^]*?)^```$/m.exec(guide) ?? [];
  const folder = `${project.directory}/first_login`;
  await Deno.mkdir(folder, { recursive: true });
  const blocks = docBlocks(path).filter(({ code }) => /^\/\/ (?:app|environment)\.ts/.test(code));
  const files = blocks.map(({ file }) => `${folder}/${file.replace(/.*\//, "")}`);
  for (const [index, { code }] of blocks.entries()) {
    await Deno.writeTextFile(files[index] ?? "", code);
  }
  await compile(project, compiler, `${folder}/tsconfig.json`, {
    compilerOptions: {
      ...JSON.parse(settings).compilerOptions,
      typeRoots: [fileURLToPath(new URL("../../../node_modules/@types", import.meta.url))],
    },
    files,
  });
  return [await versionOf(compiler), `${files.length} files`];
}

/** Compiles a program with mistakes, and checks what the compiler prints about each. */
async function compileMistakes(
  { directory }: Project,
  compiler: TypeScript,
): Promise<[string, string]> {
  await Deno.writeTextFile(`${directory}/mistakes.ts`, programOfMistakes(config.name));
  const path = `${directory}/mistakes-${compiler}.tsconfig.json`;
  const compilerOptions = {
    strict: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    noEmit: true,
  };
  await Deno.writeTextFile(path, JSON.stringify({ compilerOptions, files: ["mistakes.ts"] }));
  const { stdout } = await new Deno.Command(binaryOf("node24"), {
    args: [installed(`${compiler}/bin/tsc`), "-p", path, "--pretty", "false"],
    cwd: directory,
  }).output();
  const printed = new TextDecoder().decode(stdout);
  // A further line of a message begins with a space.
  const found = printed.matchAll(/^mistakes\.ts\((\d+),\d+\): error \w+: (.*(?:\n .*)*)/gm);
  const messages = [...found].map(([, line, text = ""]) => ({ line: Number(line), text }));
  const unclear = unclearMessages(messages);
  if (unclear.length) throw new Error(unclear.join("\n"));
  return [await versionOf(compiler), `${messages.length} messages`];
}

/** Compiles a project, with the declarations of all packages, and returns the number of type instantiations. */
async function compile(
  { directory }: Project,
  compiler: TypeScript,
  path: string,
  { compilerOptions, files }: {
    readonly compilerOptions: Readonly<Record<string, unknown>>;
    readonly files: readonly string[];
  },
): Promise<number> {
  const options = { strict: true, types: [], skipLibCheck: false, ...compilerOptions };
  await Deno.writeTextFile(path, JSON.stringify({ compilerOptions: options, files }));
  const program = [binaryOf("node24"), installed(`${compiler}/bin/tsc`)] as const;
  const printed = await run([...program, "-p", path, "--extendedDiagnostics"], { cwd: directory });
  const [, instantiations] = /^Instantiations: +(\d+)$/m.exec(printed) ?? [];
  if (instantiations === undefined) throw new Error(`No number of instantiations in ${printed}`);
  return Number(instantiations);
}

async function versionOf(compiler: TypeScript): Promise<string> {
  return JSON.parse(await Deno.readTextFile(installed(`${compiler}/package.json`))).version;
}

/** Turns `typescript5.2` into `TypeScript 5.2`. */
function displayName(compiler: TypeScript): string {
  return compiler.replace("typescript", "TypeScript ");
}
