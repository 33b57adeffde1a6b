/**
 * Runs the first command of the README in a fresh clone with empty caches, and logs in. Deno must download only the packages
 * of the demo.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { run } from "../../../scripts/command.ts";
import { visitDemo } from "../../support/demo_visit.ts";
import { freePort } from "../../support/free_port.ts";
import type { RuntimeTest } from "./report.ts";
import { useProgram } from "./serving_program.ts";

/** The test. */
export const demoTest: RuntimeTest = {
  runtime: "Deno",
  title: "demo by the README's first command, in a fresh clone with empty caches",
  async run() {
    const directory = await Deno.makeTempDir({ prefix: "guildpass-demo-" });
    try {
      await cloneInto(`${directory}/clone`);
      const start = performance.now();
      await logInWithFirstCommand(directory);
      const seconds = (performance.now() - start) / 1000;
      const downloaded = await packagesIn(`${directory}/deno/npm`);
      const needed = ["jose", "ky", "valibot"];
      if (downloaded.join() !== needed.join()) {
        throw new Error(`expected only ${needed} to be downloaded, found ${downloaded}`);
      }
      return [
        Deno.version.deno,
        `${downloaded.join(" and ")} alone, logged in after ${seconds.toFixed(1)} s`,
      ];
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },
};

/** Copies the files of the repository, with the changes that are not committed yet. */
async function cloneInto(target: string): Promise<void> {
  const root = new URL("../../../", import.meta.url);
  const files = await run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  for (const path of files.split("\0").filter((path) => path && existsSync(new URL(path, root)))) {
    await Deno.mkdir(dirname(`${target}/${path}`), { recursive: true });
    await Deno.copyFile(new URL(path, root), `${target}/${path}`);
  }
}

/** Runs the first command of the clone's README with empty caches until Ada is logged in. */
async function logInWithFirstCommand(directory: string): Promise<void> {
  const readme = await Deno.readTextFile(`${directory}/clone/README.md`);
  const [, command = ""] = /^```sh\n(.+)/m.exec(readme) ?? [];
  const { result } = await useProgram({
    command: ["sh", "-c", command],
    cwd: `${directory}/clone`,
    env: {
      DENO_DIR: `${directory}/deno`,
      npm_config_cache: `${directory}/npm`,
      PORT: `${await freePort()}`,
    },
  }, visitDemo);
  if (!result.guilds.includes("<h1><bdi>Ada Lovelace</bdi></h1>")) {
    throw new Error(`No user is logged in:\n${result.guilds}`);
  }
}

/** Lists the packages in Deno's cache. */
async function packagesIn(cache: string): Promise<string[]> {
  const names: string[] = [];
  for await (const registry of Deno.readDir(cache)) {
    for await (const { name } of Deno.readDir(`${cache}/${registry.name}`)) {
      const versions = [...Deno.readDirSync(`${cache}/${registry.name}/${name}`)];
      // The folder of a package holds a manifest alone if Deno only looked the package up.
      if (versions.some(({ isDirectory }) => isDirectory)) names.push(name);
    }
  }
  return names.sort();
}
