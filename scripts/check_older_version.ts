/**
 * Checks that the latest published version opens the cookies and records of this one, since both share a store during an upgrade.
 *
 * ```sh
 * deno run -A scripts/check_older_version.ts                  # the latest version at npm; passes if there is none
 * deno run -A scripts/check_older_version.ts 1.2.3            # another version
 * deno run -A scripts/check_older_version.ts ./guildpass.tgz  # a packed one
 * ```
 *
 * @module
 */

import { resolve } from "node:path";
import { makeFixture } from "../tests/login/fixtures/make.ts";
import { programFile, run } from "./command.ts";
import { metadata } from "./package.ts";

if (import.meta.main) {
  try {
    const [given] = Deno.args;
    const version = given?.endsWith(".tgz")
      ? `file:${resolve(given)}`
      : given ?? await latestVersion();
    if (version === null) {
      console.log("No version is published that could read the cookies and records of this one");
    } else {
      await openWith(version);
      console.log(`${version} opens the cookies and records of this version`);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 1;
  }
}

/** Returns the latest version at npm, or `null` if there is none besides the empty 0.0.0, which reserves the name. */
async function latestVersion(): Promise<string | null> {
  const { success, stdout } = await new Deno.Command(programFile("npm"), {
    args: ["view", metadata.name, "dist-tags.latest", "--json"],
    stderr: "inherit",
  }).output();
  const printed = JSON.parse(new TextDecoder().decode(stdout) || "null");
  if (!success && printed?.error?.code !== "E404") {
    throw new Error(`npm could not tell the latest version of ${metadata.name}`);
  }
  return success && printed !== "0.0.0" ? printed : null;
}

/** Writes cookies and records with this version, and opens them with another one. */
async function openWith(version: string): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "guildpass-older-" });
  try {
    const manifest = { private: true, dependencies: { [metadata.name]: version } };
    await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify(manifest));
    await run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
    const now = Date.now();
    Date.now = () => now;
    await Deno.writeTextFile(`${folder}/fixture.json`, JSON.stringify(await makeFixture()));
    await Deno.copyFile(new URL("open_fixture.ts", import.meta.url), `${folder}/open_fixture.ts`);
    await run(
      [
        Deno.execPath(),
        "run",
        "-A",
        "--node-modules-dir=manual",
        "open_fixture.ts",
        "fixture.json",
      ],
      { cwd: folder, env: { NO_COLOR: "1" } },
    );
  } catch (error) {
    throw new Error(`${version} does not open the cookies and records of this version:\n${error}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
