/**
 * The smoke suite against the packed package, on every runtime that is not a browser.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";
import { servePlatform } from "./platform_server.ts";
import { createProject, type Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { countChecks } from "./smoke.ts";
import { binaryOf, installed, type Runtime, versionOf } from "./tools.ts";

/** The tests, for a project with the package in it. */
export function packedTests(project: Project): RuntimeTest[] {
  return [
    ...(["node22", "node24", "node26"] as const).flatMap((runtime) => [
      onNode(runtime, "the packed package", "starters/node.ts", project),
      onNode(runtime, "the packed package, by require()", "starters/require.cts", project),
    ]),
    {
      runtime: "Bun",
      what: "the packed package",
      async run() {
        const bun = binaryOf("bun");
        await using installedByBun = await createProject(project.tarball, [bun, "add"]);
        return [await versionOf("bun"), await smoke([bun, "starters/node.ts"], installedByBun)];
      },
    },
    bundled("edge-runtime", "edge.ts", "iife", "edge-runtime/dist/index.js", project),
    bundled("workerd", "worker.ts", "esm", "miniflare/dist/src/index.js", project),
  ];
}

function onNode(runtime: Runtime, what: string, starter: string, project: Project): RuntimeTest {
  return {
    runtime: runtime.replace("node", "Node "),
    what,
    run: async () => [
      await versionOf(runtime),
      await smoke([binaryOf(runtime), starter], project),
    ],
  };
}

/** A runtime that takes one script, and is itself a package for Node. */
function bundled(
  runtime: "edge-runtime" | "workerd",
  starter: string,
  format: "esm" | "iife",
  module: string,
  project: Project,
): RuntimeTest {
  return {
    runtime,
    what: "the packed package, bundled",
    async run() {
      const script = `${project.directory}/${runtime}.bundle.mjs`;
      await Deno.writeTextFile(script, await project.bundle(starter, format));
      const host = `starters/in_${runtime.replace("-", "_")}.ts`;
      const command = [binaryOf("node24"), host, installed(module), script] as const;
      const manifest = await Deno.readTextFile(installed(`${runtime}/package.json`));
      return [JSON.parse(manifest).version, await smoke(command, project)];
    },
  };
}

/** Runs the suite with a platform to ask over HTTP, whose origin is added to the command. */
async function smoke(
  command: readonly [string, ...string[]],
  { directory }: Project,
): Promise<string> {
  await using platform = await servePlatform();
  const printed = await run([...command, platform.origin], { cwd: directory, timeout: 60_000 });
  return `${countChecks(printed)} checks`;
}
