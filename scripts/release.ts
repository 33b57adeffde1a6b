/**
 * The notes of a release, from the change log, and the mistakes that would spoil it.
 *
 * ```sh
 * deno run --allow-read scripts/release.ts v1.2.3  # prints the notes of the version
 * ```
 *
 * @module
 */

import config from "../deno.json" with { type: "json" };
import { filesBelow } from "./files.ts";
import { releasableVersion } from "./release_channel.ts";

/** A release, as the repository describes it. */
export interface Release {
  /** The version in `deno.json`. */
  readonly version: string;
  readonly changeLog: string;
  /** The texts that may name the version, by their paths. */
  readonly texts: ReadonlyMap<string, string>;
  /** The lock file of dnt. */
  readonly lock: LockFile;
}

/** The part of a lock file of Deno that is read here. */
interface LockFile {
  /** The versions of packages, by the specifiers that they are imported by. */
  readonly specifiers: Readonly<Record<string, string>>;
  /** The digests of packages from JSR, by their names with versions. */
  readonly jsr?: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** A section of the change log. */
interface Section {
  /** The text after the name, such as a date, or an empty text. */
  readonly date: string;
  /** The content without the heading. */
  readonly text: string;
}

const root = new URL("../", import.meta.url);
const unreleased = "Unreleased";
const linkDefinition = /^\[[^\]]+\]: .+$/gm;

/** Matches the version in an address, in a dependency, in the introduction of the README, and in the code. */
const namedVersion =
  /(?:guildpass\/sdk(?:\/v|": "\^)|\*\*Version |^export const version = ")(\d+\.\d+\.\d+(?:-rc\.\d+)?)/gm;

if (import.meta.main) {
  const { version, changeLog } = readRelease();
  const [tag] = Deno.args;
  const mistakes = tagMistakes(tag, version);
  if (mistakes.length > 0) {
    console.error(mistakes.join("\n"));
    Deno.exitCode = 1;
  } else {
    console.log(releaseNotes(changeLog, version));
  }
}

/** Reads the release that this clone describes. */
export function readRelease(): Release {
  const read = (path: string) => Deno.readTextFileSync(new URL(path, root));
  const paths = ["docs/", "examples/"].flatMap((folder) =>
    filesBelow(new URL(folder, root))
      .filter((path) => /\.(?:md|json|tsx?)$/.test(path) && !path.startsWith("invite_builder/dist"))
      .map((path) => folder + path)
  );
  return {
    version: config.version,
    changeLog: read("CHANGELOG.md"),
    texts: new Map(
      ["README.md", "deno.json", "src/core/version.ts", ...paths].map((path) => [path, read(path)]),
    ),
    lock: JSON.parse(read("scripts/dnt/deno.lock")),
  };
}

/**
 * Returns the notes of a version: its section of the change log, or the unreleased one if it has none. Each paragraph is on
 * one line, because GitHub shows the end of a line in release notes.
 */
export function releaseNotes(changeLog: string, version: string): string {
  const section = findSection(changeLog, version) ?? findSection(changeLog, unreleased);
  const text = joinLines(section?.text ?? "");
  const links = (changeLog.match(linkDefinition) ?? [])
    .filter((link) => text.includes(link.slice(0, link.indexOf(":"))));
  return [text, ...(links.length > 0 ? [links.join("\n")] : [])].join("\n\n");
}

/**
 * Returns a sentence for each mistake.
 *
 * @param tag The tag to release, or `undefined` before there is one: then the changes may still be unreleased.
 */
export function findMistakes({ version, changeLog, texts, lock }: Release, tag?: string): string[] {
  const otherVersions = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(namedVersion)]
      .filter(([, named]) => named !== version)
      .map(({ 1: named, index }) =>
        `${path}:${text.slice(0, index).split("\n").length} names version ${named}, not ${version}`
      )
  );
  return tag === undefined ? otherVersions : [
    ...tagMistakes(tag, version),
    ...(version.includes("-") ? candidateMistakes : changeLogMistakes)(changeLog, version),
    ...otherVersions,
    ...lockMistakes(lock),
  ];
}

function tagMistakes(tag: string | undefined, version: string): string[] {
  if (tag === undefined) return [];
  if (!releasableVersion.test(version)) {
    return [`The version ${version} in deno.json should have a form such as 1.2.3 or 1.2.3-rc.1`];
  }
  if (tag === `v${version}`) return [];
  return [`The tag ${tag} should be v${version}, the version in deno.json`];
}

function changeLogMistakes(changeLog: string, version: string): string[] {
  const section = findSection(changeLog, version);
  if (!section) return [`CHANGELOG.md has no section [${version}]`];
  const mistakes: string[] = [];
  if (!/^\d{4}-\d\d-\d\d$/.test(section.date)) {
    mistakes.push(`CHANGELOG.md has no date, such as 2027-01-31, after [${version}]`);
  }
  if (section.text === "") mistakes.push(`CHANGELOG.md has nothing in its section [${version}]`);
  if (findSection(changeLog, unreleased)?.text) {
    mistakes.push(`CHANGELOG.md has entries under [${unreleased}], which would be in no notes`);
  }
  if (!changeLog.includes(`\n[${version}]: `)) {
    mistakes.push(`CHANGELOG.md has no address for [${version}] at its end`);
  }
  return mistakes;
}

/** A candidate needs no section: its changes may still be unreleased. */
function candidateMistakes(changeLog: string, version: string): string[] {
  return releaseNotes(changeLog, version) === ""
    ? [`CHANGELOG.md has nothing under [${version}] or [${unreleased}]`]
    : [];
}

/** Without a digest, Deno takes what the registry has under the version at the time of the build. */
function lockMistakes({ specifiers, jsr = {} }: LockFile): string[] {
  const packages = Object.entries(specifiers).map(([specifier, version]) =>
    `${specifier.replace(/^jsr:|@[^@]*$/g, "")}@${version}`
  );
  const missing = [...new Set(packages)].filter((name) => !jsr[name]?.integrity);
  if (missing.length === 0) return [];
  return [
    `scripts/dnt/deno.lock has no digest of ${missing.join(", ")}: ` +
    "run deno install in scripts/dnt, and commit the file",
  ];
}

function findSection(changeLog: string, name: string): Section | undefined {
  return changeLog.replace(linkDefinition, "").split(/^## /m).flatMap((part) => {
    const [, found, date = "", text = ""] = /^\[([^\]]+)\](?: - (.*))?\n([^]*)$/.exec(part) ?? [];
    return found === name ? [{ date, text: text.trim() }] : [];
  })[0];
}

/** Joins the lines of each paragraph and list item. Code blocks, tables and headings stay as they are. */
function joinLines(markdown: string): string {
  const lines: string[] = [];
  let isInCode = false;
  let isOpen = false;
  for (const line of markdown.split("\n")) {
    const isFence = line.trimStart().startsWith("```");
    const isAlone = isInCode || isFence || /^(?:#|\||$)/.test(line);
    const isItem = /^\s*(?:[-*]|\d+\.) /.test(line);
    if (isOpen && !isAlone && !isItem) {
      lines.push(`${lines.pop()} ${line.trim()}`);
    } else {
      lines.push(line);
    }
    isOpen = !isAlone;
    if (isFence) isInCode = !isInCode;
  }
  return lines.join("\n");
}
