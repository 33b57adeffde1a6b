/**
 * Runs the smoke suite against the packed package on every runtime that is not a browser.
 *
 * @module
 */

import { run } from "../../../scripts/command.ts";
import { servePlatform } from "./platform_server.ts";
import { createProject, type Project } from "./project.ts";
import type { RuntimeTest } from "./report.ts";
import { countChecks } from "./smoke.ts";
import {
  binaryOf,
  installed,
  oldestDeno,
  oldestDenoEnvironment,
  oldestDenoVersion,
  type Runtime,
  versionOf,
} from "./tools.ts";

/** Creates the tests for a project with the package in it. */
export function smokeTests(project: Project): RuntimeTest[] {
  return [
    ...(["node22", "node24", "node26"] as const).flatMap((runtime) => [
      onNode(runtime, "smoke tests", "starters/node.ts", project),
      onNode(runtime, "smoke tests, by require()", "starters/require.cts", project),
    ]),
    {
      runtime: "Bun",
      title: "smoke tests",
      async run() {
        const bun = binaryOf("bun");
        await using installedByBun = await createProject(project.tarball, [bun, "add"]);
        return [await versionOf("bun"), await smoke([bun, "starters/node.ts"], installedByBun)];
      },
    },
    {
      runtime: "Deno 2.0",
      title: "smoke tests",
      run: async () => [
        await oldestDenoVersion(),
        await smoke(
          oldestDeno("run", "--quiet", "--no-lock", "-A", "starters/node.ts"),
          project,
          oldestDenoEnvironment,
        ),
      ],
    },
    bundled("edge-runtime", "edge.ts", "iife", "edge-runtime/dist/index.js", project),
    bundled("workerd", "worker.ts", "esm", "miniflare/dist/src/index.js", project),
  ];
}

function onNode(runtime: Runtime, title: string, starter: string, project: Project): RuntimeTest {
  return {
    runtime: runtime.replace("node", "Node "),
    title,
    run: async () => [
      await versionOf(runtime),
      await smoke([binaryOf(runtime), starter], project),
    ],
  };
}

/** Creates a test on a runtime that takes one script and is itself a package for Node. */
function bundled(
  runtime: "edge-runtime" | "workerd",
  starter: string,
  format: "esm" | "iife",
  module: string,
  project: Project,
): RuntimeTest {
  return {
    runtime,
    title: "smoke tests, bundled",
    async run() {
      const script = `${project.directory}/${runtime}.bundle.mjs`;
      const condition = runtime === "workerd" ? runtime : undefined;
      await Deno.writeTextFile(script, await project.bundle(starter, format, condition));
      const host = `starters/in_${runtime.replace("-", "_")}.ts`;
      const command = [binaryOf("node24"), host, installed(module), script] as const;
      const manifest = await Deno.readTextFile(installed(`${runtime}/package.json`));
      return [JSON.parse(manifest).version, await smoke(command, project)];
    },
  };
}

/** Runs the suite with a command, to which it adds the origin of a platform over HTTP. */
async function smoke(
  command: readonly [string, ...string[]],
  { directory }: Project,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  await using platform = await servePlatform();
  const printed = await run([...command, platform.origin], { cwd: directory, env: { ...env } });
  return `${countChecks(printed)} checks`;
}
