/**
 * Runs `guildpass init`: copies the recipe of a framework into an application, with an env file.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import process from "node:process";
import { misspelledName } from "../core/did_you_mean.ts";
import { envFileText } from "./env_file.ts";
import { isIgnored, isTracked } from "./git.ts";
import { findPackageManager, type PackageManager } from "./package_manager.ts";
import { type NewFile, ProjectFolder } from "./project_folder.ts";
import type { Recipe } from "./recipe.ts";
import { recipes } from "./recipes.ts";
import { CommandError, type Terminal } from "./terminal.ts";

/** The folder of the recipes, at the same relative path in the repository and in the package. */
const recipeFolder = new URL("../../examples/frameworks/", import.meta.url);

const guides = "https://github.com/guildpass/sdk/blob/main/docs/";

/** The fields of `package.json` that are used. */
interface Manifest {
  readonly type?: string;
  readonly packageManager?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The changes to make. */
interface Plan {
  readonly recipe: Recipe;
  /** True if `package.json` names the framework, and not the arguments. */
  readonly isFound: boolean;
  /** The source folder of the application: `src/` or empty. */
  readonly base: string;
  readonly newFiles: readonly NewFile[];
  /** The files of the recipe that already exist in the application. */
  readonly left: readonly Copy[];
  readonly hasHomePage: boolean;
  /** False if the application has an env file. */
  readonly writesEnvFile: boolean;
  /** False if git or `.gitignore` ignores the env file. */
  readonly addsToGitignore: boolean;
}

/**
 * Copies a recipe, and prints the next steps. It replaces no file, and writes nothing if something is wrong.
 *
 * @param name The name of the framework; `undefined` for the one in `package.json`.
 * @throws {CommandError} If the framework is not known, git tracks the env file, or a file can't be written.
 */
export async function init(name: string | undefined, { print, folder }: Terminal): Promise<void> {
  const project = await ProjectFolder.open(folder ?? process.cwd());
  const manifest = await readManifest(project);
  const hasSource = await project.has("src");
  const baseOf = ({ isInSource }: Recipe) => isInSource && hasSource ? "src/" : "";
  const recipe = name === undefined
    ? await findRecipe(project, manifest, baseOf)
    : recipeNamed(name);
  const plan = await makePlan(project, recipe, baseOf(recipe), name === undefined);
  if (plan.addsToGitignore) await project.addLine(".gitignore", recipe.envFile);
  await project.write(plan.newFiles);
  const manager = await findPackageManager(project, manifest.packageManager);
  print(`${reportOf(plan)}\n\n${await nextSteps(plan, manifest, manager)}`);
}

async function readManifest(project: ProjectFolder): Promise<Manifest> {
  const text = await project.read("package.json");
  if (text === null) {
    throw new CommandError(
      "There is no package.json here: run init in your application's folder",
    );
  }
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new CommandError("package.json is not JSON");
  }
}

async function findRecipe(
  project: ProjectFolder,
  manifest: Manifest,
  baseOf: (recipe: Recipe) => string,
): Promise<Recipe> {
  for (const recipe of recipes) {
    if (!recipe.packages.every((name) => has(manifest, name))) continue;
    const { folder } = recipe;
    if (folder === undefined || await project.has(baseOf(recipe) + folder)) return recipe;
  }
  throw new CommandError(`package.json has no framework with a recipe: ${choices()}`);
}

/** Returns true if an application has a package. */
function has({ dependencies, devDependencies }: Manifest, name: string): boolean {
  return Object.hasOwn({ ...dependencies, ...devDependencies }, name);
}

function recipeNamed(name: string): Recipe {
  const found = recipes.find((recipe) => recipe.name === name);
  if (found) return found;
  const meant = misspelledName(name, recipes.map((recipe) => recipe.name));
  throw new CommandError(
    meant === undefined
      ? `There is no recipe "${name}": ${choices()}`
      : `There is no recipe "${name}": did you mean ${meant}?`,
  );
}

function choices(): string {
  const names = recipes.map(({ name }) => name).join(", ");
  return `choose one, as in "init express"\n${names}`;
}

async function makePlan(
  project: ProjectFolder,
  recipe: Recipe,
  base: string,
  isFound: boolean,
): Promise<Plan> {
  const { envFile, files, homePage = {}, merged = {} } = recipe;
  await checkEnvFile(project, envFile);
  const needed = await sorted(project, base, { ...files, ...merged });
  const page = await sorted(project, base, homePage);
  const hasHomePage = page.fresh.length > 0 && page.existing.length === 0;
  const copies = hasHomePage ? [...needed.fresh, ...page.fresh] : needed.fresh;
  const newFiles: NewFile[] = await Promise.all(copies.map(readCopy));
  const writesEnvFile = !(await project.has(envFile));
  if (writesEnvFile) {
    newFiles.push({ path: envFile, text: envFileText(redirectUriOf(recipe)), mode: 0o600 });
  }
  return {
    recipe,
    isFound,
    base,
    newFiles,
    left: [...needed.existing, ...page.existing],
    hasHomePage,
    writesEnvFile,
    addsToGitignore: !(await isIgnoredIn(project, envFile)),
  };
}

/** Throws if git tracks the env file, or if `.gitignore` is a link, because `init` does not write through links. */
async function checkEnvFile(project: ProjectFolder, envFile: string): Promise<void> {
  if (await isTracked(project.path, envFile)) {
    throw new CommandError(
      `git tracks ${envFile}, where the secrets go. Nothing was written. Remove it from git first: ` +
        `git rm --cached ${envFile}`,
    );
  }
  if (await project.isLink(".gitignore")) {
    throw new CommandError(".gitignore is a link. Nothing was written");
  }
}

/** A file of a recipe, and its place in the application. */
interface Copy {
  readonly source: string;
  readonly path: string;
}

/** Sorts the files of a recipe into new files and files of the application. */
async function sorted(
  project: ProjectFolder,
  base: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly fresh: readonly Copy[]; readonly existing: readonly Copy[] }> {
  const fresh: Copy[] = [];
  const existing: Copy[] = [];
  for (const [source, place] of Object.entries(files)) {
    const path = base + place;
    (await project.has(path) ? existing : fresh).push({ source, path });
  }
  return { fresh, existing };
}

async function readCopy({ source, path }: Copy): Promise<NewFile> {
  return { path, text: await readFile(new URL(source, recipeFolder), "utf8") };
}

function redirectUriOf({ origin, callbackPath }: Recipe): string {
  return origin + callbackPath;
}

/** Returns true if git ignores a file. A new application may have a `.gitignore` before it has a repository. */
async function isIgnoredIn(project: ProjectFolder, path: string): Promise<boolean> {
  const ignored = await isIgnored(project.path, path);
  if (ignored !== null) return ignored;
  const lines = (await project.read(".gitignore") ?? "").split(/\r?\n/);
  const isOwn = (line: string) => line === path || line === ".env*" && path.startsWith(".env");
  // The last line that fits decides, and one with `!` may fit.
  return lines.findLastIndex(isOwn) > lines.findLastIndex((line) => line.startsWith("!"));
}

function reportOf({ recipe, isFound, newFiles, left, ...plan }: Plan): string {
  const { title, envFile, packages } = recipe;
  const heading = isFound
    ? `package.json has ${packages.join(" and ")}, so this is the recipe for ${title}.\n` +
      'To choose another one, name it, as in "init express"; "init --help" lists all.'
    : `The recipe for ${title}:`;
  const lines = [heading, ...newFiles.map(({ path }) => `  wrote ${path}`)];
  lines.push(...left.map(({ path }) => `  left ${path} as it is, because it already exists`));
  if (!plan.writesEnvFile) lines.push(`  left ${envFile} as it is, because it already exists`);
  if (plan.addsToGitignore) lines.push(`  added ${envFile} to .gitignore`);
  return lines.join("\n");
}

async function nextSteps(
  plan: Plan,
  manifest: Manifest,
  manager: PackageManager,
): Promise<string> {
  const { recipe, base, left, hasHomePage, writesEnvFile } = plan;
  const { title, envFile, origin, firstPage, guide, isRunByNode } = recipe;
  const merged = left.filter(({ source }) => source in (recipe.merged ?? {}));
  const steps = [
    ...installSteps({ "@guildpass/sdk": "the library" }, manifest, manager),
    ...(writesEnvFile
      ? []
      : [`Add these lines to ${envFile}:\n\n${envFileText(redirectUriOf(recipe))}`]),
    ...await Promise.all(merged.map(mergeStep)),
    ...(isRunByNode && manifest.type !== "module" ? [moduleStep] : []),
    `To try it without an account, run "npx @guildpass/sdk fake" in another terminal, and\n` +
    `   remove the # of the last three lines of ${envFile}. Or register this redirect URI at\n` +
    "   https://discord.com/developers/applications under OAuth2, and copy the client id\n" +
    `   and the client secret to ${envFile}:\n   ${redirectUriOf(recipe)}`,
    ...installSteps(recipe.imports ?? {}, manifest, manager),
    ...recipe.steps.map((step) => step.replace("{src}", base).replace("{run}", manager.run)),
    `Open ${origin}${hasHomePage ? "/" : firstPage}`,
  ];
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
  const compiler = isRunByNode
    ? "Node 22.18 and later runs them as they are"
    : `${title} compiles them`;
  const note = has(manifest, "typescript") ? "" : `\n\nThe files are TypeScript. ${compiler}`;
  return `Next steps:\n${list}${note}\n\nThe guide: ${guides}${guide}`;
}

/** Returns a step for each package that the application does not have. */
function installSteps(
  packages: Readonly<Record<string, string>>,
  manifest: Manifest,
  { add, addForDevelopment }: PackageManager,
): string[] {
  return Object.entries(packages).filter(([name]) => !has(manifest, name)).map(([name, task]) =>
    `Install ${task}: ${name.startsWith("@types/") ? addForDevelopment : add} ${name}`
  );
}

const moduleStep = "If the rest of your application can use ES modules, set this:\n" +
  "   npm pkg set type=module";

async function mergeStep(copy: Copy): Promise<string> {
  const { text } = await readCopy(copy);
  return `Add the lines of the recipe to ${copy.path}:\n\n${
    text.replace(/^\/\*\*.*?\*\/\n\n/s, "")
  }`;
}
