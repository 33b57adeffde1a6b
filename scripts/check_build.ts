/**
 * Checks that the npm package is reproducible: two builds are the same to the byte. With `--release`, dnt builds it, and TypeScript
 * alone must build the same, since the tests of a machine without dnt have seen only that.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { run } from "./command.ts";
import { filesBelow } from "./files.ts";
import { documents, packageDirectory } from "./package.ts";

/** The digests of the files in a package and of its tarball, by their paths. */
type Digests = ReadonlyMap<string, string>;

/** The files of the package besides its modules. */
const packed: readonly string[] = ["package.json", ...documents];

if (import.meta.main) {
  const isRelease = Deno.args.includes("--release");
  try {
    const first = await build("--without-dnt");
    const second = await build(isRelease ? "--release" : "--without-dnt");
    const third = isRelease ? await build("--release") : second;
    throwIfDifferent(first, second);
    throwIfDifferent(second, third);
    console.log(`The builds are the same, in ${first.size} files`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 1;
  }
}

async function build(option: "--release" | "--without-dnt"): Promise<Digests> {
  await run([Deno.execPath(), "task", "--quiet", "build:npm", option]);
  return new Map(
    filesBelow(packageDirectory)
      // dnt leaves other files in the folder, which npm does not pack.
      .filter((path) => /^esm\/|\.tgz$/.test(path) || packed.includes(path))
      .map((path) => [path, digestOf(Deno.readFileSync(new URL(path, packageDirectory)))]),
  );
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function throwIfDifferent(one: Digests, other: Digests): void {
  const paths = new Set([...one.keys(), ...other.keys()]);
  const different = [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
  if (different.length > 0) {
    throw new Error(`Two builds of the same source differ in:\n${different.join("\n")}`);
  }
}
