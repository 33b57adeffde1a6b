/**
 * Starts the demo in a fresh clone with empty caches. Deno must download only the packages that the demo uses.
 *
 * @module
 */

import { filesBelow } from "../../../scripts/files.ts";
import type { RuntimeTest } from "./report.ts";

/** The test. */
export const demoTest: RuntimeTest = {
  runtime: "Deno",
  title: "demo in a fresh clone with empty caches",
  async run() {
    const directory = await Deno.makeTempDir({ prefix: "guildpass-demo-" });
    try {
      await copyRepository(`${directory}/clone`);
      const start = performance.now();
      await startDemo(`${directory}/clone`, `${directory}/cache`);
      const seconds = (performance.now() - start) / 1000;
      const downloaded = await packagesIn(`${directory}/cache/npm`);
      const needed = ["jose", "ky", "valibot"];
      if (downloaded.join() !== needed.join()) {
        throw new Error(`expected only ${needed} to be downloaded, found ${downloaded}`);
      }
      return [
        Deno.version.deno,
        `${downloaded.join(" and ")} alone, up in ${seconds.toFixed(1)} s`,
      ];
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },
};

/** Copies the files of a clone that the demo could load, without `node_modules`. */
async function copyRepository(target: string): Promise<void> {
  const root = new URL("../../../", import.meta.url);
  await Deno.mkdir(target);
  for (const path of ["deno.json", "deno.lock", "mod.ts"]) {
    await Deno.copyFile(new URL(path, root), `${target}/${path}`);
  }
  for (const folder of ["src", "examples"]) {
    const source = new URL(`${folder}/`, root);
    for (const path of filesBelow(source)) {
      if (path.includes("node_modules/")) continue;
      const copy = `${target}/${folder}/${path}`;
      await Deno.mkdir(copy.slice(0, copy.lastIndexOf("/")), { recursive: true });
      await Deno.copyFile(new URL(path, source), copy);
    }
  }
}

/** Runs `deno task demo` until it prints its address. */
async function startDemo(cwd: string, cache: string): Promise<void> {
  const demo = new Deno.Command(Deno.execPath(), {
    args: ["task", "demo"],
    cwd,
    env: { DENO_DIR: cache, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const complaints = new Response(demo.stderr).text();
  let printed = "";
  const timeout = setTimeout(() => demo.kill("SIGTERM"), 120_000);
  try {
    for await (const text of demo.stdout.pipeThrough(new TextDecoderStream())) {
      printed += text;
      if (/http:\/\/localhost:\d+/.test(printed)) return;
    }
    throw new Error(`The demo ended before it listened:\n${printed}${await complaints}`);
  } finally {
    clearTimeout(timeout);
    demo.kill("SIGTERM");
    await Promise.all([demo.status, complaints]);
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
