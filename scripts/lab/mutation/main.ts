/**
 * Tests the tests: changes the source in one place after another, and counts the changes that no test notices.
 *
 * ```sh
 * deno task --cwd scripts/lab mutation                 # every folder
 * deno task --cwd scripts/lab mutation links tokens    # some folders
 * deno task --cwd scripts/lab mutation login/callback  # a folder inside one, with the tests of the outer one
 * deno task --cwd scripts/lab mutation login/routes.ts # a file
 * ```
 *
 * A second run measures only what has changed, by the text of tests and source; so does a run after one that was interrupted.
 * `--force` measures everything, which a change of a test's helper needs, and a new test of what runs when a module is loaded.
 * `--keep` writes the results to RESULTS.md. The folder `login` takes more than an hour, and each other one a few minutes.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { run } from "../../command.ts";
import { binaryOf, installTools, versionOf } from "../../../tests/integration/runtimes/tools.ts";
import known from "./known_survivors.json" with { type: "json" };
import {
  type Report,
  resultsOf,
  scoreText,
  sectionOf,
  unexplainedSurvivors,
  withSections,
} from "./results.ts";

/** The folders of `src/` that are tested this way, each by the tests in the folder of the same name. */
const folders = ["links", "stores", "tokens", "openid", "login"];

const here = new URL("./", import.meta.url);
const root = new URL("../../../", import.meta.url);
const resultsFile = new URL("RESULTS.md", here);

const options = Deno.args.filter((word) => word.startsWith("--"));
const words = Deno.args.filter((word) => !word.startsWith("--"));
const chosen = chooseFolders();

await installTools();
const versions = await findVersions();
const sections = new Map<string, string>();
const failed: string[] = [];
for (const folder of chosen) {
  const isGoodEnough = await mutate(folder);
  const results = resultsOf(await readReport(folder), known);
  console.log(`\n${folder}: ${scoreText(results)}`);
  for (const survivor of unexplainedSurvivors(results)) console.log(survivor);
  sections.set(folder, sectionOf(folder, results, versions, isWhole(folder)));
  if (!isGoodEnough) failed.push(folder);
}
if (options.includes("--keep")) await keep(sections);
if (failed.length) {
  console.error(`Too many mutants survived, or a test failed without one: ${failed.join(", ")}`);
  Deno.exit(1);
}

/** Returns the folders that the words name, or in which the words name a file. Without words, it returns all. */
function chooseFolders(): readonly string[] {
  const isKnown = (word: string) =>
    /^\w+(\/\w+)*(\.ts)?$/.test(word) && folders.includes(folderOf(word));
  const unknown = [
    ...words.filter((word) => !isKnown(word)),
    ...options.filter((option) => !["--force", "--keep"].includes(option)),
  ];
  if (unknown.length) {
    throw new Error(
      `Could not find ${unknown.join(", ")}; there are ${folders.join(", ")}, --force and --keep`,
    );
  }
  return words.length ? [...new Set(words.map(folderOf))] : folders;
}

function folderOf(word: string): string {
  return word.split("/")[0] ?? "";
}

/** Returns the files to change in a folder, as a pattern. */
function filesIn(folder: string): string {
  const named = words.filter((word) => word.startsWith(`${folder}/`))
    .map((word) => word.endsWith(".ts") ? `src/${word}` : `src/${word}/**/*.ts`);
  return isWhole(folder) ? `src/${folder}/**/*.ts` : named.join(",");
}

function isWhole(folder: string): boolean {
  return !words.length || words.includes(folder);
}

/** Runs Stryker on a folder, and returns true if the score is high enough. Its output is shown as it comes. */
async function mutate(folder: string): Promise<boolean> {
  const { success } = await new Deno.Command(binaryOf("node24"), {
    args: [
      "scripts/lab/node_modules/@stryker-mutator/core/bin/stryker.js",
      "run",
      "scripts/lab/mutation/stryker.config.mjs",
      ...options.filter((option) => option === "--force"),
    ],
    cwd: root,
    env: { MUTATION_FOLDER: folder, MUTATION_FILES: filesIn(folder) },
  }).spawn().status;
  return success;
}

async function readReport(folder: string): Promise<Report> {
  return JSON.parse(await Deno.readTextFile(new URL(`.reports/${folder}.json`, here)));
}

/** Returns the versions of the tools, as the results name them. */
async function findVersions(): Promise<string> {
  const versionIn = async (path: string) =>
    JSON.parse(await Deno.readTextFile(new URL(`node_modules/${path}/package.json`, root))).version;
  const stryker = await versionIn("../scripts/lab/node_modules/@stryker-mutator/core");
  const node = await versionOf("node24");
  return `Stryker ${stryker}, Vitest ${await versionIn("vitest")}, Node ${node}`;
}

/** Writes the sections of the measured folders to RESULTS.md, and leaves the others as they are. */
async function keep(measured: ReadonlyMap<string, string>): Promise<void> {
  const before = await Deno.readTextFile(resultsFile);
  await Deno.writeTextFile(resultsFile, withSections(before, folders, measured));
  await run([Deno.execPath(), "fmt", "--quiet", fileURLToPath(resultsFile)]);
}
