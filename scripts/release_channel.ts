/**
 * The channel of a release: its dist-tag at npm, and its effect on the site. It follows from the version and the tags of the other
 * releases, so that neither a candidate nor a backport becomes `latest`.
 *
 * ```sh
 * git ls-remote --tags --refs origin 'v*' | deno run scripts/release_channel.ts v1.2.3
 * ```
 *
 * @module
 */

/** The effects of a release. */
export interface Channel {
  /**
   * `latest`; `next` for a candidate; or, if a later version exists, the name of the older line, such as `v1-lts` and `v1-next`.
   * A line has the major version, or the minor version too if a later minor version has the same major version.
   */
  readonly distTag: string;
  /** True if the release replaces the latest one, at GitHub and on the site. */
  readonly isLatest: boolean;
  /** True for a version such as 1.2.3-rc.1. */
  readonly isCandidate: boolean;
}

/** A version in numbers. The last one is infinite without `-rc.N`, since a candidate comes before its version. */
type Version = readonly [major: number, minor: number, patch: number, candidate: number];

/** Matches a version that can be released. */
export const releasableVersion = /^(\d+)\.(\d+)\.(\d+)(?:-rc\.(\d+))?$/;

if (import.meta.main) {
  try {
    const [tag = ""] = Deno.args;
    const listed = await new Response(Deno.stdin.readable).text();
    const { distTag, isLatest, isCandidate } = channelOf(
      tag,
      [...listed.matchAll(/(?<=^|\/)v\d\S*$/gm)].map(([name]) => name),
    );
    console.log(`dist-tag=${distTag}\nlatest=${isLatest}\ncandidate=${isCandidate}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 1;
  }
}

/**
 * Returns the channel of a release.
 *
 * @param tag The tag of the release, such as `v1.2.3`.
 * @param tags The tags of all releases, with that of this one.
 * @throws {Error} If the tag is not among them, or a later version of the same line is released.
 */
export function channelOf(tag: string, tags: readonly string[]): Channel {
  const version = parse(tag);
  // Without the list of tags, each release would be the latest one.
  if (!version || !tags.includes(tag)) {
    throw new Error(`The tag ${tag} is not one of the tags of releases: ${tags.join(", ")}`);
  }
  const [major, minor, , candidate] = version;
  const isCandidate = Number.isFinite(candidate);
  const later = tags.map(parse)
    .filter((other) => other !== null)
    .filter((other) => isCandidate || other[3] === Infinity)
    .filter((other) => isBefore(version, other));
  const laterOfMajor = later.filter((other) => other[0] === major);
  if (laterOfMajor.some((other) => other[1] === minor)) {
    throw new Error(`The tag ${tag} is older than another one of ${major}.${minor}`);
  }
  if (later.length === 0) {
    return { distTag: isCandidate ? "next" : "latest", isLatest: !isCandidate, isCandidate };
  }
  const line = laterOfMajor.length === 0 ? `v${major}` : `v${major}.${minor}`;
  return { distTag: `${line}-${isCandidate ? "next" : "lts"}`, isLatest: false, isCandidate };
}

function parse(tag: string): Version | null {
  const found = tag.startsWith("v") ? releasableVersion.exec(tag.slice(1)) : null;
  if (!found) return null;
  const [, major, minor, patch, candidate] = found;
  return [Number(major), Number(minor), Number(patch), Number(candidate ?? Infinity)];
}

function isBefore(one: Version, other: Version): boolean {
  const index = one.findIndex((number, at) => number !== other[at]);
  return index >= 0 && (one[index] ?? 0) < (other[index] ?? 0);
}
