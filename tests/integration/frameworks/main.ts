/**
 * Tests the recipes with the newest versions of the frameworks. With `--all-versions`, the older versions follow. Other words choose
 * tests, as in vitest.
 *
 * Installs everything before the tests, which run at the same time: the versions of Node, the frameworks, and the packed package.
 *
 * @module
 */

import { buildPackage } from "../../../scripts/package.ts";
import { installTools } from "../runtimes/tools.ts";
import { type Edition, installPackages } from "./support/project.ts";

const allVersions = "--all-versions";

if (import.meta.main) {
  const editions: Edition[] = Deno.args.includes(allVersions) ? ["newest", "older"] : ["newest"];
  await installTools();
  const tarball = await buildPackage();
  const folders = [...editions, "others" as const];
  await Promise.all(folders.map((edition) => installPackages(edition, tarball)));
  const words = Deno.args.filter((word) => word !== allVersions);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "npm:vitest@^5.1.0", "run", ...words],
    cwd: new URL("./", import.meta.url),
    env: { FRAMEWORK_EDITIONS: editions.join() },
  }).spawn().status;
  if (!success) Deno.exitCode = 1;
}
