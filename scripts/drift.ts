/**
 * Compares permissions, flags, scopes, fields, webhook events and endpoints of the library with discord-api-types, and the operations
 * for OAuth2 and the fields with discord-api-spec, the platform's own description. Prints each difference that `known_drift.json` does not name.
 *
 * ```sh
 * deno task drift                                 # the newest version on the registry
 * deno task drift 0.38.40                         # another version
 * deno task drift ./node_modules/discord-api-types  # a folder, which needs no network, also for discord-api-spec beside it
 * ```
 *
 * The exit code is 0 without such differences, 1 with some, and 2 if nothing could be compared.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../deno.json" with { type: "json" };
import { type ApiDescriptions, describeApis, describeFields } from "./api_descriptions.ts";
import { run } from "./command.ts";
import known from "./known_drift.json" with { type: "json" };
import { oauth2Operations, operationLine, readOAuth2Operations } from "./oauth2_operations.ts";

/** Differences that are intended for one reason. */
export interface KnownDrift {
  readonly reason: string;
  readonly differences: readonly string[];
}

/** A comparison, as the task prints it. */
export interface DriftReport {
  /** True if nothing differs from what is known. */
  readonly isAsKnown: boolean;
  readonly text: string;
}

const packageName = "discord-api-types";

/** The package with the operations for OAuth2. {@link packageName} does not mark them. */
const operationsPackageName = "discord-api-spec";

const installed = fileURLToPath(new URL(`../node_modules/${packageName}`, import.meta.url));

/** The headings, by the first word of a thing. */
const headings: Readonly<Record<string, string>> = {
  permission: "Permissions",
  flag: "Flags",
  scope: "Scopes",
  field: "Fields",
  described: "Fields of the platform's own description",
  model: "Models",
  event: "Webhook events",
  endpoint: "Endpoints",
  operation: "Operations for OAuth2",
  type: "Types",
};

if (import.meta.main) {
  try {
    const { isAsKnown, text } = await compareWith(Deno.args[0] ?? "latest");
    console.log(text);
    Deno.exitCode = isAsKnown ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 2;
  }
}

/** Compares the library with a folder, if the text has a slash, or else with a version or tag of the registry. */
async function compareWith(folderOrVersion: string): Promise<DriftReport> {
  if (/[\\/]/.test(folderOrVersion)) return compareWithFolder(folderOrVersion);
  const temporary = await Deno.makeTempDir({ prefix: "guildpass-drift-" });
  try {
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-online"];
    const wanted = `${packageName}@${folderOrVersion}`;
    const packages = [wanted, operationsPackageName];
    await run(["npm", "install", "--prefix", temporary, ...options, ...packages], {
      cwd: temporary,
    });
    return compareWithFolder(`${temporary}/node_modules/${packageName}`);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

/**
 * Compares the library with a folder of discord-api-types.
 *
 * @throws {Error} If the folder has no declarations.
 */
export function compareWithFolder(folder: string): DriftReport {
  const differences = findDifferences(describeApis(folder));
  let versions = `${config.name} ${config.version} compared with ${packageName} ` +
    `${versionIn(folder)}; the tests use ${versionIn(installed)}`;
  const operationsFolder = resolve(folder, "..", operationsPackageName);
  const isDescribed = existsSync(operationsFolder);
  if (isDescribed) {
    differences.push(...findOperationDifferences(operationsFolder));
    differences.push(...findFieldDifferences(operationsFolder));
    versions += `; the operations and the description's fields with ${operationsPackageName} ${
      versionIn(operationsFolder)
    }`;
  }
  // Without the description, its known differences are not outdated.
  const compared = known.map(({ reason, differences }) => ({
    reason,
    differences: differences.filter((line) => isDescribed || !line.startsWith("+ described ")),
  }));
  return driftReport(versions, differences, compared);
}

/**
 * Returns a line for each difference between the operations for OAuth2 and those in a folder of discord-api-spec.
 *
 * @throws {Error} If the folder has no declarations of operations.
 */
export function findOperationDifferences(folder: string): string[] {
  return findDifferences({
    library: new Set(oauth2Operations.map(operationLine)),
    package: new Set(readOAuth2Operations(folder).map(operationLine)),
  });
}

/**
 * Returns a line for each field that the platform's own description has, and a model of the library lacks. A field that only the library
 * has is compared with {@link packageName}.
 *
 * @throws {Error} If the folder of discord-api-spec has no declarations.
 */
export function findFieldDifferences(folder: string): string[] {
  return findDifferences(describeFields(folder))
    .filter((line) => line.startsWith("+") || line.includes(" type "))
    .map((line) => line.replace(" field ", " described field "));
}

function versionIn(folder: string): string {
  return JSON.parse(Deno.readTextFileSync(resolve(folder, "package.json"))).version;
}

/** Returns a line for each difference: with `+` for a thing of the package alone, with `-` for a thing of the library alone. */
export function findDifferences(descriptions: ApiDescriptions): string[] {
  const { library: ours, package: theirs } = descriptions;
  return [
    ...[...theirs].filter((thing) => !ours.has(thing)).map((thing) => `+ ${thing}`),
    ...[...ours].filter((thing) => !theirs.has(thing)).map((thing) => `- ${thing}`),
  ];
}

/** Writes the report on differences, without those that are known. */
export function driftReport(
  versions: string,
  differences: readonly string[],
  known: readonly KnownDrift[],
): DriftReport {
  const expected = known.flatMap(({ differences }) => differences);
  const unknown = differences.filter((line) => !expected.includes(line));
  const outdated = expected.filter((line) => !differences.includes(line));
  const isAsKnown = !unknown.length && !outdated.length;
  const text = [
    versions,
    ...Object.entries(headings).map(([word, heading]) =>
      paragraph(heading, unknown.filter((line) => line.split(" ")[1] === word))
    ),
    paragraph("Known differences that are none any more", outdated),
    lastLine(expected.length, unknown.length, outdated.length),
  ];
  return { isAsKnown, text: text.filter((part) => part !== "").join("\n\n") };
}

function paragraph(heading: string, lines: readonly string[]): string {
  return lines.length ? [heading, ...lines].join("\n") : "";
}

function lastLine(expected: number, unknown: number, outdated: number): string {
  if (unknown) {
    return "The package has what begins with +, and the library has what begins with -. Change the library as CONTRIBUTING.md " +
      "says, or add the line to scripts/known_drift.json with a reason" +
      (outdated ? ". Delete the known differences above from that file" : "");
  }
  if (outdated) return "Delete these lines from scripts/known_drift.json";
  return `Nothing to do: all ${expected} differences are known, see scripts/known_drift.json`;
}
