/**
 * Installs everything before the tests, which run at the same time: the versions of Node, the frameworks, and the packed
 * package.
 *
 * @module
 */

import { buildPackage } from "../../../../scripts/package.ts";
import { installTools } from "../../runtimes/tools.ts";
import { installPackages } from "./project.ts";

/** Installs what is missing. */
export default async function install(): Promise<void> {
  await installTools();
  const tarball = await buildPackage();
  await Promise.all([installPackages("newest", tarball), installPackages("older", tarball)]);
}
