/**
 * Rehearses a release: compares versions, builds everything, and asks npm and JSR to check it. Publishes nothing.
 *
 * ```sh
 * deno task release:check                   # a rehearsal, which needs no network
 * deno task release:check v1.2.3            # the rehearsal of a tag, for which dnt is needed
 * deno task release:check v1.2.3 --package  # without the site, whose build runs many packages with all permissions
 * ```
 *
 * @module
 */

import { createHash } from "node:crypto";
import { programFile, run } from "./command.ts";
import { findTarball, packageDirectory } from "./package.ts";
import { findMistakes, readRelease, releaseNotes } from "./release.ts";

if (import.meta.main) {
  try {
    const [tag] = Deno.args.filter((argument) => !argument.startsWith("--"));
    await checkRelease(tag, !Deno.args.includes("--package"));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 1;
  }
}

/** Checks the release, builds the package and the site, and throws an `Error` if something is wrong. */
async function checkRelease(tag: string | undefined, withSite: boolean): Promise<void> {
  const release = readRelease();
  const mistakes = findMistakes(release, tag);
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
  console.log(`Version ${release.version}. Its notes:\n`);
  console.log(releaseNotes(release.changeLog, release.version));

  console.log("\nThe package for JSR");
  await runTask(["publish", "--dry-run", "--allow-dirty", "--quiet", "--no-check"]);

  console.log("The package for npm");
  await runTask(["task", "--quiet", "build:npm", ...(tag === undefined ? [] : ["--release"])]);
  await checkPackage(release.version);
  const digest = digestOfTarball();
  console.log(`  ${findTarball()}\n  SHA-256: ${digest}`);

  if (withSite) {
    console.log("The site");
    // GitHub Pages serves it in a folder with the name of the repository.
    await runTask(["task", "--quiet", "--cwd", "scripts/docs_site", "build", "--base=/sdk/"]);
    if (digestOfTarball() !== digest) {
      throw new Error("The package was changed after it was checked, while the site was built");
    }
  }
  console.log(tag === undefined ? "Nothing stands against a release" : `${tag} can be published`);
}

function digestOfTarball(): string {
  return createHash("sha256").update(Deno.readFileSync(findTarball())).digest("hex");
}

async function runTask(args: readonly string[]): Promise<void> {
  await run([Deno.execPath(), ...args]);
}

/** Lets npm check the package that was built. It corrects mistakes in `package.json` without failing, and then publishes something else. */
async function checkPackage(version: string): Promise<void> {
  // npm publishes a candidate only under a tag.
  const tag = version.includes("-") ? "next" : "latest";
  // Offline, npm does not look for an earlier version.
  const args = ["publish", "--dry-run", "--offline", "--access", "public", "--tag", tag, "--json"];
  const { success, stderr } = await new Deno.Command(programFile("npm"), {
    args,
    cwd: packageDirectory,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  const printed = new TextDecoder().decode(stderr);
  if (!success || printed.includes("auto-corrected")) {
    throw new Error(`npm would not publish the package as it is:\n${printed}`);
  }
}
